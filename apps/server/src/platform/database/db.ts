import type pg from 'pg';
import type { Queries } from './queries.gen.ts';

declare const CHECKED: unique symbol;

/** The text of a query that was checked where it was written, by {@link sql}, with its rows and parameters. */
export type Sql<Row, Values extends readonly unknown[]> = string & {
  readonly [CHECKED]: { row: Row; values: Values };
};

/** Accepts a text that `queries.gen.ts` knows; for others the compiler shows the name of a property, which says what to do. */
type Known<Text extends string> = [Text] extends [keyof Queries | Sql<unknown, readonly unknown[]>]
  ? unknown
  : Record<never, 1> extends Record<Text, 1>
    ? { 'The compiler must know the text: write it in place, or as a const that ends in "as const".': never }
    : { 'This text is not in queries.gen.ts: run npm run fix.': never };

/** A row of a query, by its text. */
export type RowOf<Text extends string> = Text extends keyof Queries
  ? Queries[Text]['row']
  : Text extends Sql<infer Row, readonly unknown[]>
    ? Row
    : never;

/** The parameters of a query, by its text. */
export type ValuesOf<Text extends string> = Text extends keyof Queries
  ? Readonly<Queries[Text]['values']>
  : Text extends Sql<unknown, infer Values>
    ? Readonly<Values>
    : never;

/** The result of a query. */
export interface Rows<Row> {
  rows: Row[];
  /** How many rows it read or changed. */
  rowCount: number | null;
}

/** Sends queries whose rows and parameters `queries.gen.ts` knows by their text; at run time this is `pg`. */
export interface Queryable {
  /** Prepares the query under a name on each connection. */
  query<const Text extends string>(prepared: {
    name: string;
    text: Text & Known<Text>;
    values?: ValuesOf<Text>;
  }): Promise<Rows<RowOf<Text>>>;
  /** The compiler speaks of this one when no text fits. */
  query<const Text extends string>(
    text: Text & Known<Text>,
    ...values: ValuesOf<Text> extends readonly [] ? [] : [values: ValuesOf<Text>]
  ): Promise<Rows<RowOf<Text>>>;
}

/** Texts that write or lock rows, as far as the text shows it. */
type Writing =
  | `${string}insert into ${string}`
  | `${string}update ${string} set ${string}`
  | `${string}delete from ${string}`
  | `${string}for ${'update' | 'no key update' | 'share' | 'key share'}${string}`;

/** Accepts a text that only reads. */
type Reading<Text extends string> = Text extends Writing
  ? { 'This text writes: run it on a pool.': never }
  : unknown;

/**
 * Sends queries that only read, to the primary or to a standby that has everything committed before. A function that takes
 * it can also be given a pool or a connection, but not the other way around.
 */
export interface Reads {
  /** Prepares the query under a name on each connection. */
  query<const Text extends string>(prepared: {
    name: string;
    text: Text & Known<Text> & Reading<Text>;
    values?: ValuesOf<Text>;
  }): Promise<Rows<RowOf<Text>>>;
  query<const Text extends string>(
    text: Text & Known<Text> & Reading<Text>,
    ...values: ValuesOf<Text> extends readonly [] ? [] : [values: ValuesOf<Text>]
  ): Promise<Rows<RowOf<Text>>>;
}

/** A connection that was borrowed from the pool. */
export interface PoolClient extends Omit<pg.PoolClient, 'query'>, Queryable {}

/** The connections of a process. */
export interface Pool extends Omit<pg.Pool, 'query' | 'connect'>, Queryable {
  connect(): Promise<PoolClient>;
}

/** Where a query runs: by itself on a connection of the pool, or in the transaction of a client. */
export type Db = Pool | PoolClient;

/** Checks a text where it is written, for a query that is chosen or sent elsewhere. */
export function sql<const Text extends string>(
  text: Text & Known<Text>,
): Sql<RowOf<Text>, [...ValuesOf<Text>]> {
  return text as string as Sql<RowOf<Text>, [...ValuesOf<Text>]>;
}
