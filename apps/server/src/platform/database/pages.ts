import pg from 'pg';
import type { Reads, Sql } from './db.ts';
import { untyped } from './untyped.ts';

const PAGE_ROWS = 1_000;
/** Types whose values are numbers: int8, int2, int4, float4, float8, numeric. */
const NUMBER_TYPES = new Set([20, 21, 23, 700, 701, 1700]);
/** A key column of this name is left out of the pages. */
const HIDDEN_KEY = 'page_key';

/** Everything as text, just as PostgreSQL writes it. */
const AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: (() => String) as pg.CustomTypesConfig['getTypeParser'],
};

/** A query that is read page by page. */
export interface PageSource {
  /** A select in any order; its column `key` identifies a row and never changes. */
  sql: string;
  /** For `$1` and so on. */
  values: readonly unknown[];
  /** The name of that column; `page_key` is not part of the pages. null: few rows without a key, read at once. */
  key: string | null;
}

/** A query to read page by page, by its checked text and its parameters; `key` is one of its columns. */
export const pageSource = <Row, Values extends readonly unknown[]>(
  text: Sql<Row, Values>,
  values: Readonly<Values>,
  key: (keyof Row & string) | null,
): PageSource => ({ sql: text, values, key });

/** Some rows of a query, each value as PostgreSQL writes it. */
export interface Page {
  columns: { name: string; isNumber: boolean }[];
  rows: (string | null)[][];
}

async function readPage(db: Reads, text: string, values: readonly unknown[]): Promise<Page> {
  const found = await untyped(db).query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: AS_TEXT,
  });
  const fields = found.fields.map(({ name, dataTypeID }) => ({
    name,
    isNumber: NUMBER_TYPES.has(dataTypeID),
  }));
  const hidden = fields.findIndex(({ name }) => name === HIDDEN_KEY);
  if (hidden < 0) return { columns: fields, rows: found.rows };
  return { columns: fields.toSpliced(hidden, 1), rows: found.rows.map((row) => row.toSpliced(hidden, 1)) };
}

/**
 * Reads a query page by page, at least one page, which names the columns. A connection is borrowed for each page alone,
 * however long the reader takes between two.
 *
 * The keys are read first, in the query's order: they are which rows are read, and in which order. Rows added later
 * are not read, no row is read twice, and one that has left the query by the time of its page is left out. The keys
 * of a million rows take about 20 MB of memory, the rows themselves never more than a page.
 */
export async function* readPages(db: Reads, { sql, values, key }: PageSource): AsyncGenerator<Page> {
  if (key === null) {
    yield await readPage(db, sql, values);
    return;
  }
  const name = pg.escapeIdentifier(key);
  const { rows: pages } = await untyped(db).query<{ keys: string }>(
    `select array_agg(k order by n)::text as keys
     from (select k, row_number() over () as n from (select ${name} as k from (${sql}) source) keys) numbered
     group by (n - 1) / ${PAGE_ROWS} order by (n - 1) / ${PAGE_ROWS}`,
    [...values],
  );
  const keys = `$${values.length + 1}`;
  const page = `select * from (${sql}) page where page.${name} = any(${keys}) order by array_position(${keys}, page.${name})`;
  if (pages.length === 0) yield await readPage(db, page, [...values, '{}']);
  for (const next of pages) yield await readPage(db, page, [...values, next.keys]);
}
