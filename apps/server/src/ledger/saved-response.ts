import type { Pool } from '../platform/database/db.ts';
import type { RefusalBody } from './item.ts';

/** What a key was answered with before. `answer` is the success body, to which the wallet's balance then is added. */
export interface Saved {
  bodyHash: string;
  state: 'RUNNING' | 'DONE';
  refusal: RefusalBody | null;
  response: unknown;
  walletAfterMinor: bigint | null;
  /** The answer as it is kept: two calls under one key never keep the same while they run. */
  text: string;
}

type Key = { memberId: bigint; call: string; key: string };

/** What a running call has kept under its key, by the object that stands for its key. */
const own = new WeakMap<Key, string>();

/** Remembers what this call keeps, so that it never ends or drops what a later one keeps under the same key. */
export const rememberOwn = (intent: Key, response: unknown): void => {
  own.set(intent, JSON.stringify(response));
};

/** The saved answer of a member's call under a key, or null when the key is new. */
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
    // A call that has not ended has left the wallet in no certain state.
    walletAfterMinor: row.state === 'RUNNING' ? null : row.wallet_after,
    text: row.answer,
  };
}

/**
 * Ends a running call: its first repeat and every later one get this answer. A second ending changes nothing, nor does
 * that of a call whose key another has taken over.
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

/** Forgets a running call in which nothing has moved, so that a repeat is a fresh try. */
export async function dropRunningResponse(pool: Pool, saved: Key): Promise<void> {
  await pool.query(
    `delete from idempotency where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING'
       and ($4::text is null or answer = $4)`,
    [saved.memberId, saved.call, saved.key, own.get(saved) ?? null],
  );
}

/** Forgets keys older than the promise; answers how many. */
export async function forgetSavedResponses(pool: Pool, before: Date): Promise<number> {
  const result = await pool.query('delete from idempotency where created_at < $1', [before]);
  return result.rowCount ?? 0;
}
