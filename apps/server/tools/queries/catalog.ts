import type pg from 'pg';

/** A column of a table, or a field of a composite type. */
export type Column = {
  table: string;
  name: string;
  type: number;
  isNotNull: boolean;
  /** The texts its check allows. */
  literals: string[] | undefined;
  /** What `ColumnTypes` says of it. */
  declared: string | undefined;
};

/** What PostgreSQL knows of types, columns and functions, by object id. */
export type Catalog = {
  /** What `ColumnTypes` says, by `table.column` or `routine.column`. */
  declared: Map<string, string>;
  /** What a column of a table holds, by `table.column`. */
  named: Map<string, Pick<Column, 'type' | 'literals' | 'declared'>>;
  columns: Map<number, Map<number, Column>>;
  /** `item`: the type of an array's items, 0 for others; `relation`: of a composite type's fields, 0 for others. */
  types: Map<number, { name: string; item: number; relation: number }>;
  functions: Map<number, { name: string; isStrict: boolean; isBuiltIn: boolean; result: number }>;
};

const COLUMNS = `
  select a.attrelid::int as relation, a.attnum::int as number, c.relname::text as table, a.attname::text as name, a.atttypid::int as type,
    a.attnotnull as "isNotNull",
    (select pg_get_constraintdef(o.oid) from pg_constraint o
     where o.conrelid = a.attrelid and o.contype = 'c' and o.conkey = array[a.attnum]
       and pg_get_constraintdef(o.oid) like format('CHECK ((%I = ANY (ARRAY[%%]%%))', a.attname) limit 1) as check
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind in ('r', 'v', 'c', 'S', 'p') and not a.attisdropped`;
const TYPES = `
  select oid::int as id, format_type(oid, null) as name, case when typcategory = 'A' then typelem::int else 0 end as item, typrelid::int as relation
  from pg_type`;
const FUNCTIONS = `
  select oid::int as id, proname::text as name, proisstrict as "isStrict", oid::int < 16384 as "isBuiltIn", prorettype::int as result
  from pg_proc`;

/** The texts of `CHECK ((state = ANY (ARRAY['OPEN'::text, 'ENDED'::text])))`. */
const literalsOf = (check: string | null): string[] | undefined =>
  check === null
    ? undefined
    : [...check.matchAll(/'((?:[^']|'')*)'::/g)].map((match) => match[1]!.replaceAll("''", "'"));

/**
 * Reads the catalog of a database.
 * @param declared what `ColumnTypes` says
 */
export async function readCatalog(client: pg.ClientBase, declared: Catalog['declared']): Promise<Catalog> {
  const columns: Catalog['columns'] = new Map();
  const named: Catalog['named'] = new Map();
  for (const { relation, number, check, ...column } of (await client.query(COLUMNS)).rows) {
    const fields = columns.get(relation) ?? new Map<number, Column>();
    const name = `${column.table}.${column.name}`;
    const type = declared.get(name);
    const literals = type ? undefined : literalsOf(check);
    columns.set(relation, fields.set(number, { ...column, literals, declared: type }));
    named.set(name, { type: column.type, literals, declared: type });
  }
  const types = (await client.query(TYPES)).rows.map(({ id, ...type }) => [id, type] as const);
  const functions = (await client.query(FUNCTIONS)).rows.map(({ id, ...each }) => [id, each] as const);
  return { declared, named, columns, types: new Map(types), functions: new Map(functions) };
}
