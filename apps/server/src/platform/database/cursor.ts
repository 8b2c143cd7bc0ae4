import type pg from 'pg';

const ROWS_AT_ONCE = 1_000;
/** Types whose values are numbers: int8, int2, int4, float4, float8, numeric. */
const NUMBER_TYPES = new Set([20, 21, 23, 700, 701, 1700]);

/** Everything as text, just as PostgreSQL writes it. */
const AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: (() => String) as pg.CustomTypesConfig['getTypeParser'],
};

/** Some rows of a query, each value as PostgreSQL writes it. */
export interface Batch {
  columns: { name: string; isNumber: boolean }[];
  rows: (string | null)[][];
}

/**
 * A query's rows, a batch after the other and all of one moment; at least one batch, which tells the columns. Memory
 * stays flat whatever the number of rows.
 * @param pool lends one connection until the last batch was taken or the reader stops
 * @param values for `$1` and so on
 */
export async function* readInBatches(pool: pg.Pool, sql: string, values: unknown[]): AsyncGenerator<Batch> {
  const client = await pool.connect();
  let done = false;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query({ text: `declare batches no scroll cursor for ${sql}`, values });
    for (let last = ROWS_AT_ONCE; last === ROWS_AT_ONCE; ) {
      const found = await client.query<(string | null)[]>({
        text: `fetch ${ROWS_AT_ONCE} from batches`,
        rowMode: 'array',
        types: AS_TEXT,
      });
      const columns = found.fields.map(({ name, dataTypeID }) => ({
        name,
        isNumber: NUMBER_TYPES.has(dataTypeID),
      }));
      last = found.rows.length;
      yield { columns, rows: found.rows };
    }
    await client.query('commit');
    done = true;
  } finally {
    // A connection in the middle of a transaction must not go back to the pool.
    client.release(!done);
  }
}
