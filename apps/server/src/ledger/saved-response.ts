import type { Pool } from '../platform/database/db.ts';
import type { Intent } from '../platform/intent.ts';
import type { RefusalBody, SavedResponse } from './item.ts';

/** The saved response of a key. `response` is the body of success without the wallet's balance. */
export interface Saved {
  bodyHash: string;
  state: 'RUNNING' | 'DONE';
  refusal: RefusalBody | null;
  response: unknown;
  walletAfterMinor: bigint | null;
  /** The stored text. Two calls running under one key never store the same text. */
  text: string;
}

type Key = { memberId: bigint; call: string; key: string };

/**
 * The stored text that a call of this process may end or drop, by intent object. A call without one has stored nothing
 * and changes no row: a row under its key belongs to another call.
 */
const own = new WeakMap<Key, string>();

/**
 * Returns what the first ledger item of a call with several steps saves under its key. From then on the call may end
 * or drop this row, and no other.
 */
export function runningResponse(intent: Intent, response: unknown): SavedResponse {
  own.set(intent, JSON.stringify(response));
  return { ...intent, state: 'RUNNING', response };
}

/** Lets a repeat end or drop the row of the running call that it builds its response on. */
export const buildOn = (intent: Key, { text }: Pick<Saved, 'text'>): void => {
  own.set(intent, text);
};

/** Reads the saved response of a member's call under a key; null when the key is new. */
export async function readSavedResponse(
  pool: Pool,
  memberId: bigint,
  call: string,
  key: string,
): Promise<Saved | null> {
  const result = await pool.query({
    name: 'read_saved_answer',
    text: 'select body_hash, state, refused, answer, wallet_after from idempotency where member_id = $1 and call = $2 and key = $3',
    values: [memberId, call, key],
  });
  const row = result.rows[0];
  if (!row) return null;
  const body: unknown = JSON.parse(row.answer);
  return {
    bodyHash: row.body_hash,
    state: row.state,
    refusal: row.refused ? (body as RefusalBody) : null,
    response: row.refused ? null : body,
    // While a call is running, its wallet balance is not final.
    walletAfterMinor: row.state === 'RUNNING' ? null : row.wallet_after,
    text: row.answer,
  };
}

/**
 * Ends a running call: every repeat receives this response. Changes nothing when the call has stored nothing, when it
 * has ended, or when another has its key.
 */
export async function finishSavedResponse(
  pool: Pool,
  saved: Key,
  end: { refusal?: RefusalBody; response?: unknown; walletAfterMinor?: bigint },
): Promise<void> {
  const stored = own.get(saved);
  if (stored === undefined) return;
  await pool.query(
    `update idempotency set state = 'DONE', refused = $4, answer = $5, wallet_after = $6
     where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING' and answer = $7`,
    [
      saved.memberId,
      saved.call,
      saved.key,
      end.refusal !== undefined,
      JSON.stringify(end.refusal ?? end.response),
      end.walletAfterMinor ?? null,
      stored,
    ],
  );
}

/**
 * Deletes the row of a running call in which nothing has moved, so that a repeat runs as a new call. Changes nothing
 * when the call has stored nothing, or when another has its key.
 */
export async function dropRunningResponse(pool: Pool, saved: Key): Promise<void> {
  const stored = own.get(saved);
  if (stored === undefined) return;
  await pool.query(
    `delete from idempotency where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING' and answer = $4`,
    [saved.memberId, saved.call, saved.key, stored],
  );
}

/** Deletes keys past their retention, the oldest first and so many at most; returns their number. */
export async function forgetSavedResponses(pool: Pool, before: Date, count: number): Promise<number> {
  const result = await pool.query(
    `delete from idempotency where created_at < $1 and ctid = any(array(
       select ctid from idempotency where created_at < $1 order by created_at limit $2))`,
    [before, count],
  );
  return result.rowCount ?? 0;
}
