import type { Static, TSchema } from 'typebox';
import { type ErrorCode, IDENTITY_CODES } from './codes.ts';

/** Codes that every call may respond with: caller and service checks, input, rate limits, faults. */
const COMMON_CODES = [
  'INVALID_IP',
  'KEY_MISSING',
  'KEY_INVALID',
  'gone',
  'INVALID_REQUEST',
  'REQUEST_LIMIT',
  'INTERNAL_SERVER_ERROR',
] as const satisfies readonly ErrorCode[];
export type CommonCode = (typeof COMMON_CODES)[number];

/** Codes of a session check, by the access that a call declares. */
export const ACCESS_CODES = {
  public: [],
  member: ['invalid-token', ...IDENTITY_CODES, 'INACTIVE_USER'],
  operator: ['UNAUTHORIZED', 'invalid-token', 'EXPIRED_AUTH_TOKEN', 'INACTIVE_USER'],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** Codes of a call that accepts Idempotency-Key: another body under the key, or a first call that never ends. */
const IDEMPOTENCY_CODES = [
  'IDEMPOTENCY_CONFLICT',
  'PROVIDER_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Codes of a GET that changes something: another site's page may not call it. */
const SIDE_EFFECT_CODES = ['UNAUTHORIZED'] as const satisfies readonly ErrorCode[];

/** Codes of a call that takes a file. */
const UPLOAD_CODES = ['STORAGE_FULL'] as const satisfies readonly ErrorCode[];

/**
 * One declared call. `refusals` lists the codes in the order they are decided, without those that `access`,
 * `idempotent`, `sideEffect` and `multipart` imply and those common to all calls: see `refusalsOf`.
 */
export interface CallDeclaration {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with {named} parameters. */
  path: string;
  access: 'public' | 'member' | 'operator';
  /** What an operator must be allowed to make this call; null: every signed-in operator is. */
  permission?: string | null;
  /** A second permission that the call requires. */
  alsoNeeds?: string | null;
  summary: string;
  params?: TSchema;
  /** The query string; every field is optional and arrives as text. */
  query?: TSchema;
  body?: TSchema;
  /** A form with a file instead of a JSON body: its parts, read by the handler. */
  multipart?: Readonly<Record<string, { description: string; isFile?: true }>>;
  reply: TSchema;
  /** Content types of the file that the call returns instead of JSON. */
  files?: readonly string[];
  refusals?: readonly ErrorCode[];
  /** A money call: accepts Idempotency-Key and repeats the first response. */
  idempotent?: true;
  /** A GET that changes something: refuses prefetch, sends no-store, also served as POST. */
  sideEffect?: true;
}

/** Keeps the literal types of a declaration. */
export const call = <const C extends CallDeclaration>(declaration: C): C => declaration;

/** Every code that a call may respond with. A handler can create no other refusals. */
export type RefusalsOf<C extends CallDeclaration> =
  | CommonCode
  | (typeof ACCESS_CODES)[C['access']][number]
  | (C extends { refusals: readonly (infer Code extends ErrorCode)[] } ? Code : never)
  | (C extends { idempotent: true } ? (typeof IDEMPOTENCY_CODES)[number] : never)
  | (C extends { sideEffect: true } ? (typeof SIDE_EFFECT_CODES)[number] : never)
  | (C extends { multipart: object } ? (typeof UPLOAD_CODES)[number] : never);

/** Returns every code that a call may answer, each once: its own in the order they are decided, then the implied ones. */
export const refusalsOf = (call: CallDeclaration): ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...(call.refusals ?? []),
    ...(call.idempotent ? IDEMPOTENCY_CODES : []),
    ...(call.sideEffect ? SIDE_EFFECT_CODES : []),
    ...(call.multipart ? UPLOAD_CODES : []),
    ...ACCESS_CODES[call.access],
    ...COMMON_CODES,
  ]),
];

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

/** A set of declarations as a map from "METHOD /path" to its types, for a client that carries no schema code. */
export type CallTypes<Calls extends Record<string, CallDeclaration>> = {
  [Name in keyof Calls as `${Calls[Name]['method']} ${Calls[Name]['path']}`]: {
    params: StaticOf<Calls[Name]['params']>;
    query: StaticOf<Calls[Name]['query']>;
    body: StaticOf<Calls[Name]['body']>;
    reply: StaticOf<Calls[Name]['reply']>;
    isForm: Calls[Name] extends { multipart: object } ? true : false;
  };
};
