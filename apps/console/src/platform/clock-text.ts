import { BANGKOK_OFFSET_MS } from '@krapao/contract/durations';

/** A moment as a `datetime-local` field shows it, on Bangkok's clocks; empty for none. */
export const toClock = (moment: string | null): string =>
  moment === null ? '' : new Date(Date.parse(moment) + BANGKOK_OFFSET_MS).toISOString().slice(0, 16);

/** What such a field holds, as a moment; null when it is empty. */
export const fromClock = (text: string): string | null =>
  text === '' ? null : new Date(`${text}:00+07:00`).toISOString();
