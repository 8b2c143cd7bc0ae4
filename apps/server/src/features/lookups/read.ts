import { MINUTE_MS } from '@krapao/contract/durations';

/** Largest picture of a slip that is taken. */
export const SLIP_MEGABYTES_MAX = 10;

/** HH:mm to HH:mm, every day. */
export interface Hours {
  from: string;
  to: string;
}

const BANGKOK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Bangkok',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Whether HH:mm of now is in a window that may pass midnight; all windows run in Asia/Bangkok. */
export function isWithinHours(now: Date, window: Hours): boolean {
  const at = BANGKOK.format(now);
  return window.from <= window.to ? at >= window.from && at < window.to : at >= window.from || at < window.to;
}

/** Minutes of a span outside daily hours; counted until they are more than `enough`. */
export function minutesOutside(hours: readonly Hours[], from: Date, to: Date, enough: number): number {
  let minutes = 0;
  for (let at = from.getTime(); at < to.getTime() && minutes <= enough; at += MINUTE_MS)
    if (!hours.some((window) => isWithinHours(new Date(at), window)))
      minutes += Math.min(1, (to.getTime() - at) / MINUTE_MS);
  return minutes;
}

/** A bank's names as members get them; a Lao name only where the bank has one. */
export const bankNamesOf = (row: { name_local: string; name_en: string; name_lao: string | null }) => ({
  nameTH: row.name_local,
  nameEN: row.name_en,
  ...(row.name_lao ? { nameLA: row.name_lao } : {}),
});
