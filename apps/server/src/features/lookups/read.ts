/** Largest picture of a slip that is taken. */
export const SLIP_MEGABYTES_MAX = 10;

/** Whether HH:mm of now is in a window that may pass midnight; all windows run in Asia/Bangkok. */
export function isWithinHours(now: Date, window: { from: string; to: string }): boolean {
  const at = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Bangkok',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  return window.from <= window.to ? at >= window.from && at < window.to : at >= window.from || at < window.to;
}

/** A bank's names as members get them; a Lao name only where the bank has one. */
export const bankNamesOf = (row: { name_local: string; name_en: string; name_lao: string | null }) => ({
  nameTH: row.name_local,
  nameEN: row.name_en,
  ...(row.name_lao ? { nameLA: row.name_lao } : {}),
});
