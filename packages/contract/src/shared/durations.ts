/** Durations in milliseconds, written out so that bundlers inline them. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Bangkok and Vientiane are ahead of UTC by this, all year. */
export const BANGKOK_OFFSET_MS = 25_200_000;
