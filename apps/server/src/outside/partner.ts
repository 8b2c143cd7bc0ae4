import { channel } from 'node:diagnostics_channel';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { inSpan, traceHeaders } from '../platform/tracing.ts';

/**
 * The outcome of a call to a partner. No response, a broken connection, a 5xx or a malformed response is `unknown`,
 * never a refusal.
 */
export type PartnerResponse<T> =
  | { outcome: 'ok'; value: T }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; note: string };

export interface PartnerRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  timeoutMs: number;
}

/** Whether the note of a call says that the partner did not answer, or could not be reached, within a deadline. */
export const isTimeout = (note: string): boolean =>
  note === 'TimeoutError' || /TIMEDOUT|_TIMEOUT$/.test(note);

const RESPONSE_BYTES_MAX = 1024 * 1024;

/**
 * One HTTP exchange with a partner at a fixed address: no redirects, a deadline, a bounded answer.
 * Resolves with status and parsed JSON, or with a note when nothing certain came back.
 */
export async function callPartner(
  request: PartnerRequest,
): Promise<{ answered: true; status: number; json: unknown } | { answered: false; note: string }> {
  return (await inPartnerSpan(request, () => exchange(request))) ?? NO_ADDRESS;
}

/** An address that is none, as of a partner whose settings were removed. Nothing was sent; what was sent before is unknown. */
const NO_ADDRESS = { answered: false, note: 'no address' } as const;

/** Makes an exchange under a span of the partner's host; undefined when the address is none. */
async function inPartnerSpan<T>(
  { method, url }: PartnerRequest,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const host = URL.parse(url)?.host;
  return host === undefined ? undefined : inSpan(`${method} ${host}`, work);
}

/** What a partner said, unread. */
type RawReply =
  | { answered: true; status: number; headers: Headers; text: string }
  | { answered: false; note: string };

/** Reads the body as text; null when it exceeds the maximum, the rest of which is not read. */
async function readBounded({ body }: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the exchange.
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > RESPONSE_BYTES_MAX) return null;
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** One call to a partner, as it is published for those who count them. */
export interface PartnerCall {
  url: string;
  tookMs: number;
  /** A response came whose status is no fault of the partner (5xx, 429). */
  isFine: boolean;
}

/** Publishes every {@link PartnerCall} of this process. */
export const partnerCalls = channel('krapao:partner-call');

async function reach(request: PartnerRequest): Promise<RawReply> {
  const startedAt = performance.now();
  const raw = await exchangeRaw(request);
  const isFine = raw.answered && raw.status < 500 && raw.status !== 429;
  const call: PartnerCall = { url: request.url, tookMs: performance.now() - startedAt, isFine };
  partnerCalls.publish(call);
  return raw;
}

async function exchangeRaw(request: PartnerRequest): Promise<RawReply> {
  try {
    const reply = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...traceHeaders() },
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
    });
    const text = await readBounded(reply);
    if (text === null) return { answered: false, note: 'answer too long' };
    return { answered: true, status: reply.status, headers: reply.headers, text };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return { answered: false, note: cause?.code ?? name };
  }
}

async function exchange(request: PartnerRequest): ReturnType<typeof callPartner> {
  const raw = await reach(request);
  if (!raw.answered) return raw;
  try {
    return { answered: true, status: raw.status, json: JSON.parse(raw.text) };
  } catch {
    return { answered: false, note: `status ${raw.status}, not JSON` };
  }
}

/** The same with a partner whose answer is its status alone; `retryAfterMs` as it intents, null when it says nothing. */
export async function notifyPartner(
  request: PartnerRequest,
): Promise<
  { answered: true; status: number; retryAfterMs: number | null } | { answered: false; note: string }
> {
  const raw = (await inPartnerSpan(request, () => reach(request))) ?? NO_ADDRESS;
  if (!raw.answered) return raw;
  const seconds = Number(raw.headers.get('retry-after') ?? Number.NaN);
  return { answered: true, status: raw.status, retryAfterMs: seconds >= 0 ? seconds * 1000 : null };
}

/**
 * Whether an HTTP status can mean that the partner refuses the call: a 4xx, except those that say that it was not
 * handled (408 time-out, 425 too early, 429 too many).
 */
export const isRefusalStatus = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;

/** Returns the value if it has the declared shape, else null; a partner's response is untrusted input. */
export const shaped = <S extends TSchema>(schema: S, value: unknown): Static<S> | null =>
  Check(schema, value) ? value : null;
