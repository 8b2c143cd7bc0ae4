import type { Pool } from '../platform/database/db.ts';
import type { Intent } from '../platform/intent.ts';
import { Refusal, type RefusalKind } from '../platform/refusal.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import type { Ledger } from './ledger.ts';
import { buildOn, readSavedResponse, type Saved } from './saved-response.ts';

const POLL_MS = 100;
/** How long a repeat waits for the first call to end before it receives the known state. */
const WAIT_MS = 20_000;

/** Thrown inside a money call when its idempotency key already has a response. */
export class RespondedBefore extends Error {}

/**
 * Thrown by `build` when the first call has not ended and none of its announced moves has begun. `ids`: the transfers
 * and withdrawals that the first call announced.
 */
export class NeverBegan extends Error {
  readonly ids: readonly string[];
  constructor(ids: readonly string[]) {
    super('the first call has not begun');
    this.ids = ids;
  }
}

/** Exclusive key of items that begin or end the transfer or withdrawal with this id. */
export const intentKey = (id: string): string => `wish ${id}`;

/** Builds the response of the first call from the saved one. */
export type Replay<T> = (saved: Saved) => T | Promise<T>;

/** The first call saved no response, because it was refused for now or never began. The repeat runs as a new call. */
class NothingSaved extends Error {}

interface Deps {
  pool: Pool;
  ledger: Ledger;
}

/**
 * Ends announced moves that never began, so that they cannot begin later, and frees the key. The ledger decides, so a
 * slow call that is still alive is refused. Returns false when a move has begun meanwhile.
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
 * Ends the announced moves that have not begun, when others have; the key stays used. The ledger decides, so a slow
 * call that is still alive is refused. Returns false when one of them has begun meanwhile.
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

/** Returns the first response, or the known state of a call that never ended. Ends a call that never began. */
async function known<T>(
  deps: Deps,
  intent: Intent,
  saved: Saved,
  build: Replay<T>,
): Promise<{ reply: T } | null> {
  if (saved.state === 'RUNNING') buildOn(intent, saved);
  try {
    return { reply: await build(saved) };
  } catch (error) {
    if (!(error instanceof NeverBegan)) throw error;
    if (await endPromise(deps, intent, saved, error.ids)) throw new NothingSaved();
    return null;
  }
}

async function replay<T>(deps: Deps, intent: Intent, build: Replay<T>): Promise<T> {
  let until = 0;
  let text: string | null = null;
  for (;;) {
    const saved = await readSavedResponse(deps.pool, intent.memberId, intent.call, intent.key);
    if (!saved) throw new NothingSaved();
    if (saved.bodyHash !== intent.bodyHash) throw refuseAny('IDEMPOTENCY_CONFLICT');
    // Waits for another attempt under the key as long as for the first.
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

/** Returns whether a refusal is temporary. Such a refusal is not saved under the key, so a repeat runs again. */
export const isNotNow = (refusal: Refusal): boolean => NOT_NOW.includes(refusal.kind);

/**
 * Runs a money call so that one key has one effect and one response, refusals included, as in Stripe's API. `work`
 * attaches the intent to the ledger item that decides. When the key was used before, `build` makes the first response
 * again. `checkFirst` also checks before `work`, for calls that query partners first. Throws IDEMPOTENCY_CONFLICT
 * when the key was used with another body.
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
      if (!(error instanceof NothingSaved)) throw error;
      // A repeat that waited for a call without a saved response then runs once itself.
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
