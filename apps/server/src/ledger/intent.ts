import type { Pool } from 'pg';
import type { Intent } from '../platform/http/declare.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Ledger } from './ledger.ts';
import { readSavedAnswer, type Saved } from './saved-answer.ts';

const POLL_MS = 100;
/** How long a repeat waits for the first call to end before it is told what is known. */
const WAIT_MS = 20_000;

/** Thrown inside a money call when the ledger says its key was answered before. */
export class AnsweredBefore extends Error {}

/** Turns a saved answer into what the first call was told. */
export type Replay<T> = (saved: Saved) => T | Promise<T>;

/** The call that was waited for ended with a 'not now' and kept nothing: the repeat is a fresh try. */
class NothingKept extends Error {}

async function replay<T>(pool: Pool, intent: Intent, until: number, build: Replay<T>): Promise<T> {
  for (;;) {
    const saved = await readSavedAnswer(pool, intent.memberId, intent.call, intent.key);
    if (!saved) throw new NothingKept();
    if (saved.bodyHash !== intent.bodyHash) throw new Refusal('IDEMPOTENCY_CONFLICT');
    if (saved.state === 'DONE' || Date.now() > until) {
      if (saved.refusal) throw new Refusal(saved.refusal.message as never, saved.refusal.data);
      return build(saved);
    }
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

/** Codes that say "not now" rather than "no": a repeat is a fresh try. */
const isKept = (refusal: Refusal): boolean =>
  refusal.status >= 400 && refusal.status < 500 && refusal.status !== 401 && refusal.status !== 429;

/**
 * Runs a money call so that one key has one effect and one answer, refusals included (Stripe's contract).
 * `work` attaches the intent to the ledger item that decides; when the ledger finds the key used, `build` makes the
 * first answer again. `checkFirst` also looks before `work`, for calls that ask partners before they decide.
 * Throws IDEMPOTENCY_CONFLICT when the key came with another body.
 */
export async function answerOnce<T>(
  deps: { pool: Pool; ledger: Ledger },
  intent: Intent | null,
  options: { checkFirst?: boolean; build: Replay<T> },
  work: () => Promise<T>,
): Promise<T> {
  if (!intent) return work();
  const until = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await answerOrReplay(deps, intent, until, options, work);
    } catch (error) {
      if (!(error instanceof NothingKept)) throw error;
      if (Date.now() > until) throw new Refusal('PROVIDER_UNAVAILABLE', undefined, 'repeated in vain');
    }
  }
}

async function answerOrReplay<T>(
  deps: { pool: Pool; ledger: Ledger },
  intent: Intent,
  until: number,
  options: { checkFirst?: boolean; build: Replay<T> },
  work: () => Promise<T>,
): Promise<T> {
  const again = () => replay(deps.pool, intent, until, options.build);
  if (options.checkFirst && (await readSavedAnswer(deps.pool, intent.memberId, intent.call, intent.key)))
    return again();
  try {
    return await work();
  } catch (error) {
    if (error instanceof AnsweredBefore) return again();
    if (!(error instanceof Refusal) || !isKept(error)) throw error;
    const outcome = await deps.ledger.post({
      reference: `refusal:${intent.memberId}:${intent.call}:${intent.key}`,
      kind: 'refusal',
      legs: [],
      saved: { ...intent, state: 'DONE', answer: null },
      refusal: error.body,
    });
    if (outcome.state === 'answered') return again();
    throw error;
  }
}
