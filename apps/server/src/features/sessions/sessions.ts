import { account } from '@krapao/contract/member';
import { normalisePhone } from '@krapao/contract/shared';
import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { networkOf } from '../../platform/http/caller.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { newToken } from '../../platform/ids.ts';
import type { MemberEvent, Sockets } from '../../platform/live/sockets.ts';
import { checkPassword, hashPassword } from '../../platform/passwords.ts';
import { Refusal } from '../../platform/refusal.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeWindow, countInWindow, readWindow } from '../../platform/throttle.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { isNewDevice } from './device.ts';
import {
  endOtherSessions,
  endSession,
  findLogin,
  insertSession,
  listAddresses,
  listUserAgents,
  readPasswordHash,
  writePassword,
} from './queries.ts';

export interface SessionDeps {
  pool: Pool;
  config: Config;
  settings: Settings;
  clock: Clock;
  /** Lets the member's other screens know of a login from a new device. */
  tell: Sockets['tell'];
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Over all addresses a phone is slowed, never locked: past each step of failures the next try waits this long. */
const SLOWDOWN = [
  { failures: 20, waitMs: 60_000 },
  { failures: 10, waitMs: 10_000 },
] as const;

/** So long a network he has logged in from stays the member's own: guesses made elsewhere do not slow him there. */
const KNOWN_MS = 30 * DAY_MS;

/** What screens show of the member's sessions is to be read again. */
export const loginHint = (memberId: bigint): MemberEvent => ({ memberId, event: 'login', payload: {} });

const tryKey = (phone: string, address: string): string => `login:${phone}:${networkOf(address)}`;

async function isKnown(deps: SessionDeps, phone: string, address: string, now: Date): Promise<boolean> {
  const known = await listAddresses(deps.pool, phone, new Date(now.getTime() - KNOWN_MS));
  return known.some((one) => networkOf(one) === networkOf(address));
}

/**
 * Takes one try at a phone's password before it is checked, so that parallel guesses cannot exceed those allowed.
 * Throws REQUEST_LIMIT when this phone and address, or this phone anywhere, has failed too often of late.
 */
async function takeTry(deps: SessionDeps, phone: string, address: string): Promise<void> {
  const now = deps.clock.now();
  const window = {
    key: tryKey(phone, address),
    max: deps.settings.get('login.failuresMax'),
    ms: deps.settings.get('login.windowMinutes') * MINUTE_MS,
  };
  if (!(await countInWindow(deps.pool, window, now))) throw new Refusal('REQUEST_LIMIT');
  const anywhere = await readWindow(deps.pool, `login-phone:${phone}`, now);
  const step = SLOWDOWN.find((one) => anywhere.count >= one.failures);
  if (!step || (await isKnown(deps, phone, address, now))) return;
  if (!(await countInWindow(deps.pool, { key: `login-slow:${phone}`, max: 1, ms: step.waitMs }, now)))
    throw new Refusal('REQUEST_LIMIT');
}

/** A right password gives its try back, and those before it. */
export const giveTriesBack = (deps: SessionDeps, phone: string, address: string): Promise<void> =>
  closeWindow(deps.pool, tryKey(phone, address));

async function countFailure(deps: SessionDeps, phone: string): Promise<void> {
  const ms = deps.settings.get('login.windowMinutes') * MINUTE_MS;
  const window = { key: `login-phone:${phone}`, max: Number.MAX_SAFE_INTEGER, ms };
  await countInWindow(deps.pool, window, deps.clock.now());
}

/**
 * Throws WRONG_PASSWORD unless this is the member's own; guesses count as those at the login do (REQUEST_LIMIT). Answers
 * the hash it was checked against.
 */
export async function requireOwnPassword(
  deps: SessionDeps,
  member: { id: bigint; phone: string },
  address: string,
  typed: string,
): Promise<string> {
  await takeTry(deps, member.phone, address);
  const hash = await readPasswordHash(deps.pool, member.id);
  if (hash === null || !(await checkPassword(hash, typed))) {
    await countFailure(deps, member.phone);
    throw new Refusal('WRONG_PASSWORD');
  }
  await giveTriesBack(deps, member.phone, address);
  return hash;
}

/** Answers login, logout and the change of password. */
export function sessionCalls(declare: Declare, deps: SessionDeps): void {
  const { pool, clock } = deps;
  declare(account.login, async ({ body, address, request }) => {
    const phone = normalisePhone(body.username, deps.config.variant) ?? body.username;
    await takeTry(deps, phone, address);
    const found = await findLogin(pool, phone);
    if (!(await checkPassword(found?.password_hash ?? null, body.password)) || !found) {
      await countFailure(deps, phone);
      throw new Refusal('WRONG_CREDENTIAL');
    }
    await giveTriesBack(deps, phone, address);
    if (found.status === 'CLOSED') throw new Refusal('gone');
    if (found.status === 'SUSPENDED') throw new Refusal('INACTIVE_USER');
    const token = newToken();
    const now = clock.now();
    const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null;
    const deviceIsNew = isNewDevice(userAgent, await listUserAgents(pool, found.id));
    const isOpen = await insertSession(pool, {
      tokenHash: hashToken(token),
      memberId: found.id,
      passwordHash: found.password_hash,
      address,
      now,
      userAgent,
      deviceIsNew,
      expiresAt: new Date(now.getTime() + deps.settings.get('session.days') * DAY_MS),
    });
    if (!isOpen) throw new Refusal('WRONG_CREDENTIAL');
    if (deviceIsNew) deps.tell([loginHint(found.id)]);
    return { token };
  });
  declare(account.logout, async ({ member }) => {
    await endSession(pool, member.tokenHash, 'logout', clock.now());
    return { message: 'OK' };
  });
  declare(account.changePassword, async ({ member, body, address }) => {
    const seen = await requireOwnPassword(deps, member, address, body.oldPassword);
    const hash = await hashPassword(body.newPassword);
    await inTransaction(pool, async (tx) => {
      if (!(await writePassword(tx, member.id, hash, clock.now(), seen))) throw new Refusal('WRONG_PASSWORD');
      await endOtherSessions(tx, member.id, member.tokenHash, clock.now());
    });
    return { message: 'OK' };
  });
}
