import type { Catalog } from './catalog.ts';

/** A value of a query, as far as PostgreSQL knows it. */
export type Value = {
  /** Object id of its type. */
  type: number;
  isNullable: boolean;
  /** It is the word null. */
  isNull?: boolean;
  /** The only texts it can be. */
  literals?: string[];
  /** What `ColumnTypes` says of its column. */
  declared?: string;
  /** TypeScript of what is inside, for JSON that the query makes. */
  json?: string;
  /** Of an array. */
  item?: Value;
  /** Of a whole row. */
  fields?: Record<string, Value> | undefined;
};

/** How the type parsers of `platform/database/pool.ts` return a type, and its form inside JSON. */
const TYPES: Record<string, { row: string; json: string; parameter: string }> = {
  bigint: { row: 'bigint', json: 'number', parameter: 'Whole' },
  boolean: { row: 'boolean', json: 'boolean', parameter: 'boolean' },
  bytea: { row: 'Buffer', json: 'string', parameter: 'Uint8Array' },
  date: { row: 'Date', json: 'string', parameter: 'Date | string' },
  'double precision': { row: 'number', json: 'number', parameter: 'number | bigint' },
  integer: { row: 'number', json: 'number', parameter: 'Whole' },
  interval: { row: 'unknown', json: 'string', parameter: 'string' },
  json: { row: 'unknown', json: 'unknown', parameter: 'Json' },
  jsonb: { row: 'unknown', json: 'unknown', parameter: 'Json' },
  numeric: { row: 'string', json: 'number', parameter: 'number | bigint | string' },
  oid: { row: 'number', json: 'number', parameter: 'number' },
  real: { row: 'number', json: 'number', parameter: 'number' },
  smallint: { row: 'number', json: 'number', parameter: 'Whole' },
  'timestamp with time zone': { row: 'Date', json: 'string', parameter: 'Date | string' },
  'timestamp without time zone': { row: 'Date', json: 'string', parameter: 'Date | string' },
};
/** Every other type arrives as text. */
const AS_TEXT = { row: 'string', json: 'string', parameter: 'string' };

export const isJson = (type: number): boolean => type === 114 || type === 3802;

/** TypeScript of a JSON value: what the query makes of it, or what `ColumnTypes` says of its column. */
export const declaredJson = ({ json, declared }: Value): string => json ?? declared ?? 'unknown';

const orNull = (type: string, isNullable: boolean): string =>
  isNullable && type !== 'unknown' ? `${type} | null` : type;

const literalsOf = (literals: readonly string[]): string =>
  literals.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(' | ');

const listOf = (item: string): string => (item.includes(' ') ? `(${item})[]` : `${item}[]`);

/** TypeScript of a value as `pg` hands it over in a row. */
export function rowTypeOf(value: Value, { types }: Catalog): string {
  const catalog = { types } as Catalog;
  if (value.literals) return orNull(literalsOf(value.literals), value.isNullable);
  if (value.declared) return orNull(value.declared, value.isNullable);
  if (value.item) return orNull(listOf(rowTypeOf(value.item, catalog)), value.isNullable);
  if (isJson(value.type)) return orNull(declaredJson(value), value.isNullable);
  const name = types.get(value.type)?.name ?? '';
  return orNull((TYPES[name] ?? AS_TEXT).row, value.isNullable);
}

/** TypeScript of a value inside JSON that PostgreSQL makes. */
export function jsonTypeOf(value: Value, catalog: Catalog): string {
  const { literals, declared, fields, item, isNullable, type } = value;
  if (literals) return orNull(literalsOf(literals), isNullable);
  if (declared) return orNull(declared, isNullable);
  if (fields) {
    const parts = Object.entries(fields).map(
      ([name, field]) => `${JSON.stringify(name)}: ${jsonTypeOf(field, catalog)}`,
    );
    return orNull(`{ ${parts.join('; ')} }`, isNullable);
  }
  if (item) return orNull(listOf(jsonTypeOf(item, catalog)), isNullable);
  if (isJson(type)) return orNull(declaredJson(value), isNullable);
  const { name = '' } = catalog.types.get(type) ?? {};
  return orNull((TYPES[name] ?? AS_TEXT).json, isNullable);
}

/** TypeScript of what a parameter of a type takes. */
export function parameterTypeOf(
  type: number,
  { types }: Catalog,
  { isNullable, hasNulls }: { isNullable: boolean; hasNulls: boolean },
): string {
  const { name = '', item = 0 } = types.get(type) ?? {};
  if (!item) return orNull((TYPES[name] ?? AS_TEXT).parameter, isNullable);
  const of = orNull((TYPES[types.get(item)?.name ?? ''] ?? AS_TEXT).parameter, hasNulls);
  return orNull(`readonly ${listOf(of)} | ListText`, isNullable);
}
