import { ApiError } from './api-error.ts';

/** Types of one call, as `CallTypes` of the contract makes them. */
interface CallShape {
  params: unknown;
  query: unknown;
  body: unknown;
  reply: unknown;
}

type Given<Key extends string, T> = undefined extends T ? { [K in Key]?: T } : { [K in Key]: T };

/**
 * The arguments of a call: path parameters, query and body where it has them, an idempotency key where money moves;
 * `asked` is the response to the same call that the page has already sent.
 */
export type CallInput<Shape extends CallShape> = Given<'params', Shape['params']> &
  Given<'query', Shape['query']> &
  Given<'body', Shape['body']> & {
    idempotencyKey?: string;
    timeoutMs?: number;
    requested?: Promise<Response> | undefined;
  };

type Rest<Shape extends CallShape> =
  Record<string, never> extends CallInput<Shape> ? [input?: CallInput<Shape>] : [input: CallInput<Shape>];

/** `api('POST /api/wallet/withdraw', { body, idempotencyKey })` resolves to the bare answer or throws ApiError. */
export type Api<Calls> = <Name extends keyof Calls & string>(
  name: Name,
  ...rest: Calls[Name] extends CallShape ? Rest<Calls[Name]> : never
) => Promise<Calls[Name] extends CallShape ? Calls[Name]['reply'] : never>;

export interface ApiSettings {
  /** Address in front of every path; empty for the same origin. */
  base: string;
  /** Header that names this client. */
  marker: { name: string; value: string };
  /** The token of the next call; what it throws is what the call is rejected with. */
  token: () => string | null;
  /** The reader's language as browsers write it, for a server that gets no cookie of this page. */
  language?: () => string;
  /** Further headers of each call. */
  headers?: () => Record<string, string>;
  /** Called with every refusal and the token of its call before it is thrown, so that an ended session is handled in one place. */
  onRefusal: (error: ApiError, token: string | null) => void;
}

const TIMEOUT_MS = 60_000;

/** A client for one set of declared calls, 60 s time-out by default. */
export function createApi<Calls>(settings: ApiSettings): Api<Calls> {
  const call = async (name: string, input: CallInput<CallShape> = {}) => {
    const isMoney = input.idempotencyKey !== undefined;
    const token = settings.token();
    const response = await (input.requested ?? send(settings, name, input, token)).catch((cause: unknown) => {
      throw new ApiError(isMoney ? 'unknownResult' : 'network', {
        cause,
        isOffline: navigator.onLine === false,
      });
    });
    const body = await response.json().catch(() => undefined);
    if (response.ok && body !== undefined) return body;
    const error = refusalOf(response.status, body, isMoney);
    settings.onRefusal(error, token);
    throw error;
  };
  return call as Api<Calls>;
}

/** What an answer that is not a success says; one that is not ours leaves a money call's result unknown. */
export function refusalOf(status: number, body: unknown, isMoney: boolean): ApiError {
  const { message, data } = (body ?? {}) as { message?: unknown; data?: Record<string, unknown> };
  if (typeof message === 'string' && message !== '') return new ApiError(message, data, status);
  return new ApiError(isMoney ? 'unknownResult' : 'generic', {}, status);
}

function send(
  settings: ApiSettings,
  name: string,
  input: CallInput<CallShape>,
  token: string | null,
): Promise<Response> {
  const [method = 'GET', path = ''] = name.split(' ');
  const headers: Record<string, string> = {
    [settings.marker.name]: settings.marker.value,
    ...(settings.language && { 'Accept-Language': settings.language() }),
    ...settings.headers?.(),
  };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (input.idempotencyKey) headers['Idempotency-Key'] = input.idempotencyKey;
  if (input.body !== undefined) headers['Content-Type'] = 'application/json';
  const filled = fillPath(path, input.params as Record<string, string> | undefined);
  return fetch(settings.base + filled + queryText(input.query as Query | undefined), {
    method,
    headers,
    credentials: 'same-origin',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    signal: AbortSignal.timeout(input.timeoutMs ?? TIMEOUT_MS),
  });
}

/** "/api/qrcode/{bankCode}" with its parameters, each encoded. */
export const fillPath = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));

type Query = Record<string, string | number | boolean | undefined>;

/** "?page=2&status=REVIEW" of what is given; nothing for fields without a value. */
export function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
