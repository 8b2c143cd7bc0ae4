import { dateText } from '@krapao/ui/text/date-text.ts';

/** Rows under their day in Bangkok, in the order received. */
export function byDay<T extends { createdAt: string }>(rows: readonly T[]): { day: string; rows: T[] }[] {
  const days: { day: string; rows: T[] }[] = [];
  for (const row of rows) {
    const day = dateText(row.createdAt);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}
