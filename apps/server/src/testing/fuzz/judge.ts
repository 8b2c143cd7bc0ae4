import { ERROR_CODES, OPERATOR_CODES } from '@krapao/contract/shared';
import type { FuzzRequest } from './requests.ts';
import type { Reply } from './send.ts';

const KNOWN: ReadonlySet<string> = new Set([...ERROR_CODES, ...OPERATOR_CODES]);
/** 503 is an answer, not a fault, when it says that a partner is away. */
const PARTNER_AWAY: ReadonlySet<string> = new Set(['PROVIDER_UNAVAILABLE', 'GAME_ACTIVATION_FAIL']);

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A fault that an answer shows, in a line; null when the answer is one that the contract allows. */
export function faultOf(wanted: FuzzRequest, reply: Reply): string | null {
  if ('broken' in reply) return `connection broke: ${reply.broken}`;
  const { status, type, text } = reply;
  if (wanted.method === 'HEAD' || (status < 400 && !type.includes('json'))) return null;
  const body = parsed(text);
  if (status < 400) {
    const isRefusal = body?.success === false && typeof body.error === 'string';
    return isRefusal && !KNOWN.has(body.error as string) ? `unknown error ${body.error}` : null;
  }
  const code = body?.message;
  if (typeof code !== 'string' || !KNOWN.has(code))
    return `status ${status}, unknown code ${text.slice(0, 200)}`;
  // The service answers a prefetch with 503 on purpose.
  const isPrefetch = wanted.headers['sec-purpose'] !== undefined && code === 'INVALID_REQUEST';
  // Few exports run at once: the others are refused with a retry time.
  const isExportBusy = status === 503 && reply.retryAfter !== undefined && wanted.call.files !== undefined;
  return status < 500 || PARTNER_AWAY.has(code) || isPrefetch || isExportBusy
    ? null
    : `status ${status}: ${code}`;
}

/** The JSON of a successful answer, for ids that later requests name. */
export const learnable = (reply: Reply): unknown =>
  'status' in reply && reply.status < 300 && reply.type.includes('json') ? parsed(reply.text) : null;
