import type { MemberApi } from '@krapao/contract/member';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { api } from './api.ts';
import { noteRefusal, settleIntent, startIntent } from './sheet-state.ts';
import { isAnswered, settles } from './unanswered.ts';

/** Calls that take an idempotency key. */
export type OnceOnlyCall =
  | 'POST /api/account'
  | 'POST /api/wallet/transfer'
  | 'POST /api/wallet/transferAll'
  | 'POST /api/wallet/withdraw'
  | 'POST /api/wallet/withdrawAll'
  | 'POST /api/wallet/truelink'
  | 'POST /api/wallet/add'
  | 'POST /api/spinwheel/spin'
  | 'POST /api/spinwheel/coupon/claim';

/** Whether the member's PIN must be proven first: nothing is decided by that, not even about an earlier try. */
export const isPinWanted = (error: unknown): boolean => error instanceof ApiError && error.data.pin === true;

/** What of a body may be stored with its key: never a password. Another password therefore does not make another key. */
function withoutPassword(body: unknown): unknown {
  const { password: _, ...rest } = { ...(body as { password?: string } | undefined) };
  return body && rest;
}

/**
 * Sends an intent under one key until the server has decided it: pressing again, or coming back after a reload,
 * requests the first response instead of moving money twice. `query` is no part of the intent.
 */
export async function sendOnce<Name extends OnceOnlyCall>(
  name: Name,
  body: MemberApi[Name]['body'],
  query?: MemberApi[Name]['query'],
): Promise<MemberApi[Name]['reply']> {
  const { key, wasUnanswered } = startIntent(name, withoutPassword(body), randomKey);
  const send = api as (name: string, input: unknown) => Promise<MemberApi[Name]['reply']>;
  try {
    const reply = await send(name, { body, query, idempotencyKey: key });
    settleIntent(key);
    return reply;
  } catch (error) {
    if (settles(error) && !isPinWanted(error)) settleIntent(key);
    else if (isAnswered(error) && !wasUnanswered) noteRefusal(key);
    throw error;
  }
}
