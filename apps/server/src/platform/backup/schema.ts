import type pg from 'pg';

/** A table as a backup sees it. */
export type Table = {
  /** Quoted and with its schema, ready for SQL. */
  name: string;
  /** Quoted names of all columns that hold data; computed ones are left out. */
  columns: string[];
};

/** A sequence and its current value. */
export type Sequence = { name: string; lastValue: string; isCalled: boolean };

/** The schemas a backup covers: the product's own and the jobs'. */
const SCHEMAS = "('public', 'graphile_worker')";
/** What migrating itself fills. */
const OF_MIGRATIONS =
  "('kysely_migration', 'kysely_migration_lock', 'migrations', 'routine_file', 'routine_set', 'ledger_companion')";

const TABLES = `
  select c.oid::text as id, format('%I.%I', n.nspname, c.relname) as name,
    (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ${SCHEMAS} and c.relkind = 'r' and c.relpersistence = 'p'
    and c.relname not in ${OF_MIGRATIONS}
  order by name`;

const REFERENCES = `
  select distinct conrelid::text as from_id, confrelid::text as to_id from (
    select conrelid::oid, confrelid::oid from pg_constraint where contype = 'f' and conrelid <> confrelid
  ) as reference`;

type Row = Table & { id: string };

/** Referenced tables first, so that every row finds what it points to. */
function inOrder(rows: Row[], references: { from_id: string; to_id: string }[]): Table[] {
  const ordered: Row[] = [];
  const waiting = [...rows];
  while (waiting.length > 0) {
    const open = new Set(waiting.map(({ id }) => id));
    const ready = waiting.findIndex(
      ({ id }) => !references.some(({ from_id, to_id }) => from_id === id && open.has(to_id)),
    );
    if (ready < 0) {
      throw new Error(
        `These tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}.`,
      );
    }
    ordered.push(...waiting.splice(ready, 1));
  }
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

/** All tables that hold data, referenced ones before those that refer to them. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const tables = await client.query(TABLES);
  const references = await client.query(REFERENCES);
  return inOrder(tables.rows, references.rows);
}

/** Reads all sequences. They ignore snapshots, so reading them after the rows keeps them ahead of the rows. */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname in ${SCHEMAS} order by 1`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const state = await client.query(`select last_value::text as value, is_called from ${name}`);
    sequences.push({ name, lastValue: state.rows[0].value, isCalled: state.rows[0].is_called });
  }
  return sequences;
}

/** Names of the applied migrations, in order. */
export async function readVersions(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query('select name from kysely_migration order by name');
  return rows.map((row) => row.name);
}

/** Whether nothing was ever created here. */
export async function isEmptyDatabase(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ${SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm', 'S')) as empty`,
  );
  return rows[0].empty;
}
