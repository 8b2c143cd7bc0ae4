import type { Pool } from '../platform/database/db.ts';
import type { Intent } from '../platform/intent.ts';
import { Refusal, type RefusalKind } from '../platform/refusal.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import type { Ledger } from './ledger.ts';
import { readSavedResponse, type Saved } from './saved-response.ts';

const POLL_MS = 100;
/** How long a repeat waits for the first call to end before it is told what is known. */
const WAIT_MS = 20_000;

/** Thrown inside a money call when the ledger says its key was answered before. */
export class RespondedBefore extends Error {}

/**
 * Thrown by `build` when the first call has not ended and nothing of what it had promised has happened.
 * `ids`: every transfer or withdrawal it had promised, under which it would still have to begin.
 */
export class NeverBegan extends Error {
  readonly ids: readonly string[];
  constructor(ids: readonly string[]) {
    super('the first call has not begun');
    this.ids = ids;
  }
}

/** The ledger's key for items that begin, or end for ever, what was promised under an id. */
export const intentKey = (id: string): string => `wish ${id}`;

/** Turns a saved answer into what the first call was told. */
export type Replay<T> = (saved: Saved) => T | Promise<T>;

/** The call that was waited for kept nothing, because it said 'not now' or never began: the repeat is a fresh try. */
class NothingKept extends Error {}

interface Deps {
  pool: Pool;
  ledger: Ledger;
}

/**
 * Ends what a call had promised and never began, so that it never can, and frees its key: decided by the ledger, so a
 * call that is slow and not dead loses. False when it has begun meanwhile.
 */
async function endPromise(
  deps: Deps,
  intent: Intent,
  saved: Saved,
  ids: readonly string[],
): Promise<boolean> {
  const { memberId, call, key } = intent;
  const outcome = await deps.ledger.post({
    reference: `intent-end:${memberId}:${call}:${key}:${ids[0]}`,
    kind: 'intent_end',
    memberId,
    legs: [],
    attached: { name: 'intent_end', row: { memberId, call, key, answer: saved.text, ids } },
    exclusive: ids.map(intentKey),
  });
  return outcome.state !== 'refused';
}

/**
 * Ends for ever what a call had promised and not begun, beside what it has begun; its key stays taken. Decided by the
 * ledger, so a call that is slow and not dead loses. False when one of them has begun meanwhile.
 */
export async function endRest(ledger: Ledger, memberId: bigint, ids: readonly string[]): Promise<boolean> {
  const outcome = await ledger.post({
    reference: `intent-rest:${ids.join(':')}`,
    kind: 'intent_rest',
    memberId,
    legs: [],
    attached: { name: 'intent_rest', row: { ids } },
    exclusive: ids.map(intentKey),
  });
  return outcome.state !== 'refused';
}

/** The first answer again, or what is known of a call that never ended; one that never began is ended for ever. */
async function known<T>(
  deps: Deps,
  intent: Intent,
  saved: Saved,
  build: Replay<T>,
): Promise<{ reply: T } | null> {
  try {
    return { reply: await build(saved) };
  } catch (error) {
    if (!(error instanceof NeverBegan)) throw error;
    if (await endPromise(deps, intent, saved, error.ids)) throw new NothingKept();
    return null;
  }
}

async function replay<T>(deps: Deps, intent: Intent, build: Replay<T>): Promise<T> {
  let until = 0;
  let text: string | null = null;
  for (;;) {
    const saved = await readSavedResponse(deps.pool, intent.memberId, intent.call, intent.key);
    if (!saved) throw new NothingKept();
    if (saved.bodyHash !== intent.bodyHash) throw refuseAny('IDEMPOTENCY_CONFLICT');
    // Another try under the key is given as long as the first.
    if (saved.text !== text) until = Date.now() + WAIT_MS;
    text = saved.text;
    if (saved.state === 'DONE' || Date.now() > until) {
      if (saved.refusal) throw refuseAny(saved.refusal.message as never, saved.refusal.data);
      const response = await known(deps, intent, saved, build);
      if (response) return response.reply;
    }
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

const NOT_NOW: readonly RefusalKind[] = ['unauthenticated', 'rate-limited', 'internal', 'unavailable'];

/** Whether a refusal says "not now" rather than "no": it is not kept under the key, so that a repeat is a fresh try. */
export const isNotNow = (refusal: Refusal): boolean => NOT_NOW.includes(refusal.kind);

/**
 * Runs a money call so that one key has one effect and one answer, refusals included (Stripe's contract).
 * `work` attaches the intent to the ledger item that decides; when the ledger finds the key used, `build` makes the
 * first answer again. `checkFirst` also looks before `work`, for calls that ask partners before they decide.
 * Throws IDEMPOTENCY_CONFLICT when the key came with another body.
 */
export async function respondOnce<T>(
  deps: Deps,
  intent: Intent | null,
  options: { checkFirst?: boolean; build: Replay<T> },
  work: () => Promise<T>,
): Promise<T> {
  if (!intent) return work();
  const until = Date.now() + WAIT_MS;
  let isLate = false;
  for (;;) {
    try {
      return await respondOrReplay(deps, intent, options, work);
    } catch (error) {
      if (!(error instanceof NothingKept)) throw error;
      // Whoever has waited all the time for a call that kept nothing still tries once themselves.
      if (isLate) throw refuseAny('PROVIDER_UNAVAILABLE', undefined, 'repeated in vain');
      isLate = Date.now() > until;
    }
  }
}

async function respondOrReplay<T>(
  deps: Deps,
  intent: Intent,
  options: { checkFirst?: boolean; build: Replay<T> },
  work: () => Promise<T>,
): Promise<T> {
  const again = () => replay(deps, intent, options.build);
  if (options.checkFirst && (await readSavedResponse(deps.pool, intent.memberId, intent.call, intent.key)))
    return again();
  try {
    return await work();
  } catch (error) {
    if (error instanceof RespondedBefore) return again();
    if (!(error instanceof Refusal) || isNotNow(error)) throw error;
    const outcome = await deps.ledger.post({
      reference: `refusal:${intent.memberId}:${intent.call}:${intent.key}`,
      kind: 'refusal',
      legs: [],
      saved: { ...intent, state: 'DONE', response: null },
      refusal: error.body,
    });
    if (outcome.state === 'answered') return again();
    throw error;
  }
}
