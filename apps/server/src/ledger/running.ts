import type { Pool } from '../platform/database/db.ts';
import type { Intent } from '../platform/intent.ts';
import { Refusal } from '../platform/refusal.ts';
import { isNotNow, RespondedBefore } from './intent.ts';
import type { Ledger } from './ledger.ts';
import { dropRunningResponse, finishSavedResponse, runningResponse } from './saved-response.ts';

/**
 * Takes a key before the first of several steps, so that a repeat waits instead of repeating them. `response` is what
 * a repeat builds on if the call never ends. Throws RespondedBefore when the key is taken.
 */
export async function takeKey(ledger: Ledger, intent: Intent | null, response: unknown): Promise<void> {
  if (!intent) return;
  const outcome = await ledger.post({
    reference: `intent:${intent.memberId}:${intent.call}:${intent.key}`,
    kind: 'intent',
    memberId: intent.memberId,
    legs: [],
    saved: runningResponse(intent, response),
  });
  if (outcome.state === 'answered') throw new RespondedBefore();
}

/**
 * Saves a refusal after the first step as the call's response; a temporary one frees the key. A refusal before the
 * call has stored anything changes no row: `respondOnce` saves it when no other call has the key.
 */
export async function keepRefusal<T>(pool: Pool, intent: Intent | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (intent && error instanceof Refusal) {
      if (isNotNow(error)) await dropRunningResponse(pool, intent);
      else await finishSavedResponse(pool, intent, { refusal: error.body });
    }
    throw error;
  }
}
