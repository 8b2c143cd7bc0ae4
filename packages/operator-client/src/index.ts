import type { OperatorApi, OperatorFileApi } from '@krapao/contract/operator';
import { OperatorApiError, OperatorOutcomeUnknown } from './errors.ts';

export { OperatorApiError, OperatorOutcomeUnknown };

/** Calls that take JSON or nothing; those that take a file as a form are not among them. */
type JsonCalls = {
  [Name in keyof OperatorApi as OperatorApi[Name]['isForm'] extends true ? never : Name]: OperatorApi[Name];
};
type FileCalls = {
  [Name in keyof OperatorFileApi]: Omit<OperatorFileApi[Name], 'reply'> & { reply: Uint8Array };
};
type Calls = JsonCalls & FileCalls;
/** Optional where the call takes none, or none of its fields is required. */
type Given<Key extends string, T> = undefined extends T
  ? { [K in Key]?: T }
  : Record<string, never> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T };

/** What a call takes: path parameters, query and body, where it has them. */
export type OperatorInput<Name extends keyof Calls> = Given<'params', Calls[Name]['params']> &
  Given<'query', Calls[Name]['query']> &
  Given<'body', Calls[Name]['body']>;

type Rest<Name extends keyof Calls> =
  Record<string, never> extends OperatorInput<Name>
    ? [input?: OperatorInput<Name>]
    : [input: OperatorInput<Name>];

/**
 * Makes one call by its name, such as `'GET /api/operator/deposits'`, and returns its reply: the bytes of the file where
 * the call exports one.
 */
export type OperatorClient = <Name extends keyof Calls>(
  name: Name,
  ...rest: Rest<Name>
) => Promise<Calls[Name]['reply']>;

export interface ClientSettings {
  /** Address of the console, such as `https://console.example`. */
  url: string;
  /** An API key, `kop_…`. */
  key: string;
  /** 30 s by default. */
  timeoutMs?: number;
  /** How long an export may take; 5 min by default, after which the server ends it. */
  fileTimeoutMs?: number;
}

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const FILE_MS = 300_000;
const FILE_PATH = '/api/operator/export/';
const FILE_TYPE = /^(text\/csv|application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet)\b/;

function addressOf(base: string, path: string, { params = {}, query = {} }: AnyInput): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(filled, base);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/** The JSON of a response; undefined when it is none. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The error of a response that is not a success. */
function errorOf(status: number, body: unknown): OperatorApiError | OperatorOutcomeUnknown {
  const { message, data } = (body ?? {}) as { message?: unknown; data?: Record<string, unknown> };
  return status >= 400 && status < 500 && typeof message === 'string'
    ? new OperatorApiError(message, status, data)
    : new OperatorOutcomeUnknown(status, {
        ...(typeof message === 'string' && { code: message }),
        ...(data && { data }),
      });
}

/**
 * Creates a client of the operator API. A call rejects with {@link OperatorApiError} when the server refuses it, and with
 * {@link OperatorOutcomeUnknown} when a change may have been made or not.
 */
export function createOperatorClient({
  url,
  key,
  timeoutMs = 30_000,
  fileTimeoutMs = FILE_MS,
}: ClientSettings): OperatorClient {
  const call = async (name: string, input: AnyInput = {}): Promise<unknown> => {
    const [method = 'GET', path = ''] = name.split(' ');
    const isFile = path.startsWith(FILE_PATH);
    const hasBody = input.body !== undefined;
    const address = addressOf(url, path, input);
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(input.body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(isFile ? fileTimeoutMs : timeoutMs),
    };
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(address, request);
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new OperatorOutcomeUnknown(null, { cause });
    }
    if (response.ok && isFile && FILE_TYPE.test(response.headers.get('content-type') ?? '')) return bytes;
    const body = jsonOf(bytes);
    if (response.ok && !isFile && body !== undefined) return body;
    throw errorOf(response.status, body);
  };
  return call as OperatorClient;
}
