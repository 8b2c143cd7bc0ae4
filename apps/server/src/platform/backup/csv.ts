import type { Writable } from 'node:stream';
import type { Reads } from '../database/db.ts';
import { type PageSource, readPages } from '../database/pages.ts';
import { writeTo } from './sink.ts';

/** Spreadsheets recognise UTF-8, and so Thai and Lao, by this. */
const BYTE_ORDER_MARK = '\uFEFF';
/**
 * A cell that begins like this is run as a formula by spreadsheets: the signs themselves, their full-width and small
 * forms, all also behind spaces or characters that show nothing, and tab or line break (OWASP, CSV Injection).
 */
const FORMULA = /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/u;
/** What needs quotes; spreadsheets of many countries also split at semicolons, and some at tabs. */
const QUOTED = /[",;\t\r\n]/;
/** Digits a spreadsheet would take for a number and cut: leading zeros, or more than it can count exactly. */
const FRAGILE_DIGITS = /^(0\d+|\d{16,})$/;

/**
 * One cell. Text that would run as a formula gets an apostrophe in front; digits a spreadsheet would shorten are
 * written as the constant formula `="0812345678"`, which shows exactly those digits.
 * @param value null is an empty cell
 * @param isNumber a number of the database, written as it is
 */
export function csvCell(value: string | null, isNumber: boolean): string {
  if (value === null) return '';
  if (isNumber) return value;
  const safe = FRAGILE_DIGITS.test(value) ? `="${value}"` : FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvLine(cells: string[]): string {
  return `${cells.join(',')}\r\n`;
}

/**
 * Streams a query's rows as CSV for a spreadsheet: UTF-8 with byte order mark, a heading line, CRLF. Memory stays
 * flat whatever the number of rows, and no connection waits for the sink. Does not end the sink.
 * @returns the number of rows
 */
export async function exportQuery(db: Reads, source: PageSource, sink: Writable): Promise<number> {
  let rows = 0;
  let isFirst = true;
  await writeTo(sink, BYTE_ORDER_MARK);
  for await (const page of readPages(db, source)) {
    if (isFirst) await writeTo(sink, csvLine(page.columns.map(({ name }) => csvCell(name, false))));
    isFirst = false;
    const lines = page.rows.map((row) =>
      csvLine(row.map((value, at) => csvCell(value, page.columns[at]?.isNumber ?? false))),
    );
    await writeTo(sink, lines.join(''));
    rows += page.rows.length;
  }
  return rows;
}
