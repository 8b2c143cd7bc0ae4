import type { OperatorApi } from '@krapao/contract/operator';

type Calls = OperatorApi;
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

/** Makes one call by its name, such as `'GET /api/operator/deposits'`, and returns its reply. */
export type OperatorClient = <Name extends keyof Calls>(
  name: Name,
  ...rest: Rest<Name>
) => Promise<Calls[Name]['reply']>;

/** A refusal: its code as the contract lists it, with what the server adds. */
export class OperatorApiError extends Error {
  override readonly name = 'OperatorApiError';
  readonly code: string;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, data: Record<string, unknown> = {}) {
    super(`${code} (${status})`);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export interface ClientSettings {
  /** Address of the console, such as `https://console.example`. */
  url: string;
  /** An API key, `kop_…`. */
  key: string;
  /** 30 s by default. */
  timeoutMs?: number;
}

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

function addressOf(base: string, path: string, { params = {}, query = {} }: AnyInput): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(filled, base);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

/**
 * Creates a client of the operator API. A call rejects with {@link OperatorApiError} when the server refuses it, and with
 * the error of `fetch` when nothing came back: then a change may have been made or not.
 */
export function createOperatorClient({ url, key, timeoutMs = 30_000 }: ClientSettings): OperatorClient {
  const call = async (name: string, input: AnyInput = {}): Promise<unknown> => {
    const [method = 'GET', path = ''] = name.split(' ');
    const hasBody = input.body !== undefined;
    const response = await fetch(addressOf(url, path, input), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(input.body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const isJson = response.headers.get('content-type')?.includes('json');
    const body: unknown = isJson ? await response.json() : await response.text();
    if (response.ok) return body;
    const { message, data } = (isJson ? body : {}) as { message?: string; data?: Record<string, unknown> };
    throw new OperatorApiError(message ?? 'UNKNOWN', response.status, data);
  };
  return call as OperatorClient;
}
