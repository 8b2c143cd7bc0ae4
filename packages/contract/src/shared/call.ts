import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './codes.ts';

/**
 * One declared call. `refusals` lists the codes in the order they are decided; the codes any member call may
 * answer (identity, INACTIVE_USER, gone, INVALID_REQUEST, REQUEST_LIMIT, INTERNAL_SERVER_ERROR) are not repeated.
 */
export interface CallDeclaration {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with {named} parameters. */
  path: string;
  access: 'public' | 'member' | 'operator';
  /** What an operator must be allowed to make this call; null: every signed-in operator is. */
  permission?: string | null;
  /** A second thing an operator must be allowed. */
  alsoNeeds?: string | null;
  summary: string;
  params?: TSchema;
  /** What follows the question mark; every field is optional and arrives as text. */
  query?: TSchema;
  body?: TSchema;
  /** A form with a file instead of a JSON body: its parts, read by the handler. */
  multipart?: Readonly<Record<string, { description: string; isFile?: true }>>;
  reply: TSchema;
  /** Content types of the file that is answered instead of JSON. */
  files?: readonly string[];
  refusals?: readonly ErrorCode[];
  /** A money call: accepts Idempotency-Key and replays the first answer. */
  idempotent?: true;
  /** A GET that changes something: refuses prefetch, answers no-store, also served as POST. */
  sideEffect?: true;
}

/** Keeps the literal types of a declaration. */
export const call = <const C extends CallDeclaration>(declaration: C): C => declaration;

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

/** A set of declarations as a map from "METHOD /path" to its types, for a client that carries no schema code. */
export type CallTypes<Calls extends Record<string, CallDeclaration>> = {
  [Name in keyof Calls as `${Calls[Name]['method']} ${Calls[Name]['path']}`]: {
    params: StaticOf<Calls[Name]['params']>;
    query: StaticOf<Calls[Name]['query']>;
    body: StaticOf<Calls[Name]['body']>;
    reply: StaticOf<Calls[Name]['reply']>;
  };
};
