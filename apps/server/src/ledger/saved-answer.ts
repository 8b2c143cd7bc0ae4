import type { Pool } from 'pg';
import type { RefusalBody } from './item.ts';

/** What a key was answered with before. `answer` is the success body, to which the wallet's balance then is added. */
export interface Saved {
  bodyHash: string;
  state: 'RUNNING' | 'DONE';
  refusal: RefusalBody | null;
  answer: unknown;
  walletAfterMinor: bigint | null;
}

interface Row {
  body_hash: string;
  state: 'RUNNING' | 'DONE';
  refused: boolean;
  answer: string;
  wallet_after: bigint | null;
}

/** The saved answer of a member's call under a key, or null when the key is new. */
export async function readSavedAnswer(
  pool: Pool,
  memberId: bigint,
  call: string,
  key: string,
): Promise<Saved | null> {
  const result = await pool.query<Row>({
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
    answer: row.refused ? null : body,
    walletAfterMinor: row.wallet_after,
  };
}

/** Ends a running call: its first repeat and every later one get this answer. A second ending changes nothing. */
export async function finishSavedAnswer(
  pool: Pool,
  saved: { memberId: bigint; call: string; key: string },
  end: { refusal?: RefusalBody; answer?: unknown; walletAfterMinor?: bigint },
): Promise<void> {
  await pool.query(
    `update idempotency set state = 'DONE', refused = $4, answer = $5, wallet_after = $6
     where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING'`,
    [
      saved.memberId,
      saved.call,
      saved.key,
      end.refusal !== undefined,
      JSON.stringify(end.refusal ?? end.answer),
      end.walletAfterMinor ?? null,
    ],
  );
}

/** Forgets a running call in which nothing has moved, so that a repeat is a fresh try. */
export async function dropRunningAnswer(
  pool: Pool,
  saved: { memberId: bigint; call: string; key: string },
): Promise<void> {
  await pool.query(
    "delete from idempotency where member_id = $1 and call = $2 and key = $3 and state = 'RUNNING'",
    [saved.memberId, saved.call, saved.key],
  );
}

/** Forgets keys older than the promise; answers how many. */
export async function forgetSavedAnswers(pool: Pool, before: Date): Promise<number> {
  const result = await pool.query('delete from idempotency where created_at < $1', [before]);
  return result.rowCount ?? 0;
}
