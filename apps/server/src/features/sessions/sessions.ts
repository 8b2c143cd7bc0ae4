import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { sessions } from '@krapao/contract/member';
import { normalisePhone } from '@krapao/contract/shared';
import {
  accountMeter,
  addressMeters,
  type PasswordTry,
  requireAddressWithinLimit,
  takePasswordTry,
} from '../../platform/attempts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { isFamiliar } from '../../platform/familiar.ts';
import { networkOf } from '../../platform/http/caller.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { newToken } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import type { MemberEvent, Sockets } from '../../platform/live/sockets.ts';
import { requireStrongPassword } from '../../platform/password-policy.ts';
import { checkPassword, hashPassword } from '../../platform/passwords.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { SecurityLog } from '../../platform/security-log.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeWindow } from '../../platform/throttle.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { lapseAccountChange } from '../profile/read.ts';
import { isNewDevice } from './device.ts';
import {
  endOtherSessions,
  endSession,
  findLogin,
  insertSession,
  type LoginRow,
  listUserAgents,
  readPasswordHash,
  writePassword,
} from './queries.ts';

export interface SessionDeps {
  pool: Pool;
  limits: Limits;
  config: Config;
  settings: Settings;
  clock: Clock;
  security: Pick<SecurityLog, 'identify'>;
  /** Lets the member's other screens know of a login from a new device. */
  notify: Sockets['notify'];
}

/** What screens show of the member's sessions is to be read again. */
export const loginHint = (memberId: bigint): MemberEvent => ({ memberId, event: 'login', payload: {} });

const tryKey = (phone: string, address: string): string => `login:${phone}:${networkOf(address)}`;

/**
 * Takes one try at a phone's password before it is checked, so that parallel guesses cannot exceed those allowed.
 * Throws REQUEST_LIMIT when this phone and address have failed too often of late, or when this address or this phone
 * anywhere has failed so often that its tries are spaced out. Spacing leaves out networks the owner has logged in from
 * or proven the phone in by SMS: guessing elsewhere slows the account, and never keeps its owner out.
 */
async function takeTry(deps: SessionDeps, phone: string, address: string): Promise<PasswordTry> {
  const { pool, settings } = deps;
  const now = deps.clock.now();
  const ms = settings.get('login.windowMinutes') * MINUTE_MS;
  const meters = async () => {
    if (await isFamiliar(pool, phone, address, now)) return [];
    const limit = { max: settings.get('login.addressFailuresMax'), ms };
    return [...addressMeters('login-address', address, limit), accountMeter(`login-phone:${phone}`, ms)];
  };
  const window = { key: tryKey(phone, address), max: settings.get('login.failuresMax'), ms };
  return takePasswordTry(deps, window, meters, now);
}

/** Gives the tries from an address back, because the phone was proven in another way. */
export const giveTriesBack = (deps: SessionDeps, phone: string, address: string): Promise<void> =>
  closeWindow(deps.pool, tryKey(phone, address));

/** Whether a password is right, as one counted try. Throws REQUEST_LIMIT, or PasswordsBusy, which counts as none. */
async function tryPassword(
  deps: SessionDeps,
  phone: string,
  address: string,
  check: { hash: () => Promise<string | null>; typed: string },
): Promise<boolean> {
  const attempt = await takeTry(deps, phone, address);
  let isRight: boolean;
  try {
    isRight = await checkPassword(await check.hash(), check.typed, { lane: 'member', address });
  } catch (error) {
    await attempt.cancel();
    throw error;
  }
  if (isRight) await attempt.succeed();
  return isRight;
}

/**
 * Throws WRONG_PASSWORD unless this is the member's own; guesses count as those at the login do (REQUEST_LIMIT). Answers
 * the hash it was checked against.
 */
export async function requireOwnPassword(
  refuse: Refuse<'WRONG_PASSWORD'>,
  deps: SessionDeps,
  member: { id: bigint; phone: string },
  address: string,
  typed: string,
): Promise<string> {
  let stored: string | null = null;
  const hash = async () => {
    stored = await readPasswordHash(deps.pool, member.id);
    return stored;
  };
  if (!(await tryPassword(deps, member.phone, address, { hash, typed })) || stored === null)
    throw refuse('WRONG_PASSWORD');
  return stored;
}

/** Right logins of one member from one address within a day: each leaves a session that is stored for a year. */
const LOGINS = { max: 100, ms: DAY_MS };

/** Answers login, logout and the change of password. */
export function sessionCalls(declare: Declare, deps: SessionDeps): void {
  const { pool, clock } = deps;
  declare(sessions.login, async ({ body, address, request, refuse }) => {
    const phone = normalisePhone(body.username, deps.config.variant) ?? body.username;
    deps.security.identify(request, { kind: 'member', name: phone });
    let found: LoginRow | undefined;
    const hash = async () => {
      found = await findLogin(pool, phone);
      return found?.password_hash ?? null;
    };
    if (!(await tryPassword(deps, phone, address, { hash, typed: body.password })) || !found)
      throw refuse('WRONG_CREDENTIAL');
    if (found.status === 'CLOSED') throw new Refusal('gone');
    if (found.status === 'SUSPENDED') throw refuse('INACTIVE_USER');
    await requireAddressWithinLimit(deps.limits, `logins:${found.id}`, address, LOGINS, clock.now());
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
    if (!isOpen) throw refuse('WRONG_CREDENTIAL');
    if (deviceIsNew) deps.notify([loginHint(found.id)]);
    return { token };
  });
  declare(sessions.logout, async ({ member }) => {
    await endSession(pool, member.tokenHash, 'logout', clock.now());
    return { message: 'OK' };
  });
  declare(sessions.changePassword, async ({ member, body, address, refuse }) => {
    const seen = await requireOwnPassword(refuse, deps, member, address, body.oldPassword);
    await requireStrongPassword(refuse, deps, body.newPassword, member.phone);
    const hash = await hashPassword(body.newPassword, { lane: 'member', address });
    await inTransaction(pool, async (tx) => {
      if (!(await writePassword(tx, member.id, hash, clock.now(), seen))) throw refuse('WRONG_PASSWORD');
      await endOtherSessions(tx, member.id, member.tokenHash, clock.now());
      await lapseAccountChange(tx, { id: member.id, address }, clock.now());
    });
    return { message: 'OK' };
  });
}
