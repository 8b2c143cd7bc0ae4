import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';

/** Returns the midnight in Bangkok with which the day of a time began. */
export const dayStart = (now: Date): Date =>
  new Date(Math.floor((now.getTime() + BANGKOK_OFFSET_MS) / DAY_MS) * DAY_MS - BANGKOK_OFFSET_MS);
