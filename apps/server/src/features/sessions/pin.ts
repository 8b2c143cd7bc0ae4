import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { pin } from '@krapao/contract/member';
import { writeMemberAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { databaseLimits, requireWithinLimit } from '../../platform/limits.ts';
import { checkPassword, hashPassword } from '../../platform/passwords.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Member } from '../../platform/sessions.ts';
import { closeWindow, uncount } from '../../platform/throttle.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { notePinProven, readPinHash, writePin } from './queries.ts';
import { requireOwnPassword, type SessionDeps } from './sessions.ts';

/** Wrong PINs of one session, and of all sessions of a member: those of a stolen session leave the others tries. */
const TRIES = { max: 5, ms: 15 * MINUTE_MS };
const MEMBER_TRIES = { max: 15, ms: 15 * MINUTE_MS };
/** Changes of one member in an hour: each is a row of the audit trail. */
const CHANGES_HOUR_MAX = 20;

/** Throws WRONG_PASSWORD unless the password is the member's own, and REQUEST_LIMIT after too many changes. */
async function requireMayChange(
  refuse: Refuse<'WRONG_PASSWORD'>,
  deps: SessionDeps,
  member: Member,
  address: string,
  password: string,
): Promise<void> {
  await requireOwnPassword(refuse, deps, member, address, password);
  const window = { key: `pin-change:${member.id}`, max: CHANGES_HOUR_MAX, ms: HOUR_MS };
  await requireWithinLimit(deps.limits, window, deps.clock.now());
}

/** Sets or removes the PIN and leaves a row for operators, without it. */
async function change(deps: SessionDeps, who: { id: bigint; address: string }, hash: string | null) {
  const now = deps.clock.now();
  await inTransaction(deps.pool, async (tx) => {
    await writePin(tx, who.id, hash, now);
    const auditEntry = {
      action: 'member.pin',
      subject: entityRef('member', who.id),
      after: { demanded: hash !== null },
    };
    await writeMemberAudit(tx, who, auditEntry, now);
  });
  return { message: 'OK' };
}

/**
 * Proves the PIN for this session. A try is counted before it is checked, so that parallel guesses cannot exceed those
 * allowed, of this session and of the member. Throws REQUEST_LIMIT, WRONG_PASSWORD, or PasswordsBusy, which counts as no try.
 */
async function prove(
  refuse: Refuse<'WRONG_PASSWORD'>,
  { pool, clock }: SessionDeps,
  member: Member,
  typed: string,
  address: string,
) {
  const hash = await readPinHash(pool, member.id);
  if (hash === null) return { message: 'OK' };
  const limits = databaseLimits(pool);
  const own = `pin:${member.id}:${member.tokenHash.toString('base64url')}`;
  const all = `pin:${member.id}`;
  await requireWithinLimit(limits, { key: own, ...TRIES }, clock.now());
  try {
    await requireWithinLimit(limits, { key: all, ...MEMBER_TRIES }, clock.now());
  } catch (error) {
    // The PIN was not compared: it counts against the member alone.
    await uncount(pool, own);
    throw error;
  }
  let isRight: boolean;
  try {
    isRight = await checkPassword(hash, typed, { lane: 'member', address });
  } catch (error) {
    // Nothing was compared, so nothing was guessed.
    await uncount(pool, own);
    await uncount(pool, all);
    throw error;
  }
  if (!isRight) throw refuse('WRONG_PASSWORD');
  await closeWindow(pool, own);
  await uncount(pool, all);
  if (!(await notePinProven(pool, member, hash, clock.now()))) throw refuse('WRONG_PASSWORD');
  return { message: 'OK' };
}

/** Answers the calls about the PIN that a member may demand before money leaves. */
export function pinCalls(declare: Declare, deps: SessionDeps): void {
  declare(pin.setPin, async ({ member, body, address, refuse }) => {
    await requireMayChange(refuse, deps, member, address, body.password);
    return change(
      deps,
      { id: member.id, address },
      await hashPassword(body.pin, { lane: 'member', address }),
    );
  });
  declare(pin.removePin, async ({ member, body, address, refuse }) => {
    await requireMayChange(refuse, deps, member, address, body.password);
    return change(deps, { id: member.id, address }, null);
  });
  declare(pin.provePin, ({ member, body, address, refuse }) =>
    prove(refuse, deps, member, body.pin, address),
  );
}
