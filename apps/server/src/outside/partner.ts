import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { inSpan, traceHeaders } from '../platform/tracing.ts';

/** What is known after asking a partner. Silence, a cut line, a 5xx or an answer out of shape is `unknown`, never a no. */
export type PartnerAnswer<T> =
  | { outcome: 'ok'; value: T }
  | { outcome: 'rejected'; code: string }
  | { outcome: 'unknown'; note: string };

export interface PartnerRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
}

const ANSWER_BYTES_MAX = 1024 * 1024;

/**
 * One HTTP exchange with a partner at a fixed address: no redirects, a deadline, a bounded answer.
 * Resolves with status and parsed JSON, or with a note when nothing certain came back.
 */
export async function askPartner(
  request: PartnerRequest,
): Promise<{ answered: true; status: number; json: unknown } | { answered: false; note: string }> {
  return inSpan(`${request.method} ${new URL(request.url).host}`, () => exchange(request));
}

async function exchange(request: PartnerRequest): ReturnType<typeof askPartner> {
  try {
    const reply = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...traceHeaders() },
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: 'error',
      signal: AbortSignal.timeout(request.timeoutMs),
    });
    const text = await reply.text();
    if (text.length > ANSWER_BYTES_MAX) return { answered: false, note: 'answer too long' };
    try {
      return { answered: true, status: reply.status, json: JSON.parse(text) };
    } catch {
      return { answered: false, note: `status ${reply.status}, not JSON` };
    }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return { answered: false, note: cause?.code ?? name };
  }
}

/** The value when it has the declared shape, else null; a partner's answer is input like any other. */
export const shaped = <S extends TSchema>(schema: S, value: unknown): Static<S> | null =>
  Value.Check(schema, value) ? value : null;
