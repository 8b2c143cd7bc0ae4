import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { isDecided, isFromServer } from '@krapao/ui/api/decided.ts';

const FAULT = 500;

/**
 * Whether the server may have done what this call requested: there was no response of it, or that of a fault. The
 * refusal of a repeat may then mean that the first attempt succeeded.
 */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (!isFromServer(error) || error.status >= FAULT);

/**
 * Whether the server has responded to a call with an idempotency key, and this attempt does nothing any more. With
 * PROVIDER_UNAVAILABLE, whose status is that of a fault, a call ends before its own money moves and frees its key.
 */
export const isAnswered = (error: unknown): boolean =>
  !isUnanswered(error) || codeOf(error) === 'PROVIDER_UNAVAILABLE';

/** Refusals of the caller, before the call is looked at: they say nothing about an earlier attempt. */
const OF_THE_CALLER: readonly string[] = ['INVALID_IP', 'INACTIVE_USER'];

/** Whether a refusal settles an intent: the next attempt is another one, under a key of its own. */
export const settles = (error: unknown): boolean =>
  error instanceof ApiError && isDecided(error) && !OF_THE_CALLER.includes(error.code);
