import type { Writable } from 'node:stream';
import pg from 'pg';
import { writeTo } from './sink.ts';

/** Spreadsheets recognise UTF-8, and so Thai and Lao, by this. */
const BYTE_ORDER_MARK = '\uFEFF';
const ROWS_AT_ONCE = 1_000;
/** Types whose values are numbers, minus sign and all: they are never text to be guarded. */
const NUMBER_TYPES = new Set([20, 21, 23, 700, 701, 1700]);
/** A cell beginning so is run as a formula by spreadsheets. */
const FORMULA = /^[=+\-@\t\r\n]/;
/** Digits a spreadsheet would take for a number and cut: leading zeros, or more than it can count exactly. */
const FRAGILE_DIGITS = /^(0\d+|\d{16,})$/;

/** Everything as text, just as PostgreSQL writes it. */
const AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: (() => String) as pg.CustomTypesConfig['getTypeParser'],
};

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
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvLine(cells: string[]): string {
  return `${cells.join(',')}\r\n`;
}

/**
 * Streams a query's rows as CSV for a spreadsheet: UTF-8 with byte order mark, a heading line, CRLF. Memory stays
 * flat whatever the number of rows; all rows are of one moment. Does not end the sink.
 * @param pool takes one connection for as long as it lasts
 * @param values for `$1` and so on
 * @returns the number of rows
 */
export async function exportQuery(
  pool: pg.Pool,
  sql: string,
  values: unknown[],
  sink: Writable,
): Promise<number> {
  const client = await pool.connect();
  let rows = 0;
  let done = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query({ text: `declare export no scroll cursor for ${sql}`, values });
    await writeTo(sink, BYTE_ORDER_MARK);
    for (let last = ROWS_AT_ONCE; last === ROWS_AT_ONCE; ) {
      const found = await client.query<(string | null)[]>({
        text: `fetch ${ROWS_AT_ONCE} from export`,
        rowMode: 'array',
        types: AS_TEXT,
      });
      if (rows === 0) await writeTo(sink, csvLine(found.fields.map(({ name }) => csvCell(name, false))));
      const numbers = found.fields.map(({ dataTypeID }) => NUMBER_TYPES.has(dataTypeID));
      const lines = found.rows.map((row) =>
        csvLine(row.map((value, at) => csvCell(value, numbers[at] ?? false))),
      );
      await writeTo(sink, lines.join(''));
      last = found.rows.length;
      rows += last;
    }
    await client.query('commit');
    done = true;
    return rows;
  } finally {
    // A connection in the middle of a transaction must not go back to the pool.
    client.release(!done);
  }
}

/**
 * Streams a whole table as CSV, see {@link exportQuery}.
 * @param table its name, without quotes; a schema in front with a dot
 */
export function exportTable(pool: pg.Pool, table: string, sink: Writable): Promise<number> {
  const name = table.split('.').map((part) => pg.escapeIdentifier(part));
  return exportQuery(pool, `select * from ${name.join('.')}`, [], sink);
}
