import type { Pool } from '../platform/database/db.ts';
import type { RefusalBody } from './item.ts';

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

/** What running calls of this process have stored, by intent object. */
const own = new WeakMap<Key, string>();

/** Remembers what this call stores, so that it never ends or drops the row of a later call under the same key. */
export const rememberOwn = (intent: Key, response: unknown): void => {
  own.set(intent, JSON.stringify(response));
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
 * Ends a running call: every repeat receives this response. A second end changes nothing, nor does the end of a call
 * whose key another has taken over.
 */
export async function finishSavedResponse(
  pool: Pool,
  saved: Key,
  end: { refusal?: RefusalBody; response?: unknown; walletAfterMinor?: bigint },
): Promise<void> {
  await pool.query(
    `update idempotency set state = 'DONE', refused = $4, answer = $5, wallet_after = $6
     where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING' and ($7::text is null or answer = $7)`,
    [
      saved.memberId,
      saved.call,
      saved.key,
      end.refusal !== undefined,
      JSON.stringify(end.refusal ?? end.response),
      end.walletAfterMinor ?? null,
      own.get(saved) ?? null,
    ],
  );
}

/** Deletes the row of a running call in which nothing has moved, so that a repeat runs as a new call. */
export async function dropRunningResponse(pool: Pool, saved: Key): Promise<void> {
  await pool.query(
    `delete from idempotency where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING'
       and ($4::text is null or answer = $4)`,
    [saved.memberId, saved.call, saved.key, own.get(saved) ?? null],
  );
}

/** Deletes keys past their retention; returns their number. */
export async function forgetSavedResponses(pool: Pool, before: Date): Promise<number> {
  const result = await pool.query('delete from idempotency where created_at < $1', [before]);
  return result.rowCount ?? 0;
}
