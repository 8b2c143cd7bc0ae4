import { account } from '@krapao/contract/member';
import { normalisePhone } from '@krapao/contract/shared';
import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Declare } from '../../platform/http/declare.ts';
import { newToken } from '../../platform/ids.ts';
import { checkPassword, hashPassword } from '../../platform/passwords.ts';
import { Refusal } from '../../platform/refusal.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeWindow, countInWindow, readWindow } from '../../platform/throttle.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  endOtherSessions,
  endSession,
  findLogin,
  insertSession,
  readPasswordHash,
  writePassword,
} from './queries.ts';

export interface SessionDeps {
  pool: Pool;
  config: Config;
  settings: Settings;
  clock: Clock;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Over all addresses a phone is slowed, never locked: past each step of failures the next try waits this long. */
const SLOWDOWN = [
  { failures: 20, waitMs: 60_000 },
  { failures: 10, waitMs: 10_000 },
] as const;

/** Throws REQUEST_LIMIT while this phone and address, or this phone anywhere, has failed too often of late. */
async function refuseGuessing(deps: SessionDeps, phone: string, address: string): Promise<void> {
  const now = deps.clock.now();
  const here = await readWindow(deps.pool, `login:${phone}:${address}`, now);
  if (here.count >= deps.settings.get('login.failuresMax')) throw new Refusal('REQUEST_LIMIT');
  const anywhere = await readWindow(deps.pool, `login-phone:${phone}`, now);
  const step = SLOWDOWN.find((one) => anywhere.count >= one.failures);
  if (step && !(await countInWindow(deps.pool, { key: `login-slow:${phone}`, max: 1, ms: step.waitMs }, now)))
    throw new Refusal('REQUEST_LIMIT');
}

async function countFailure(deps: SessionDeps, phone: string, address: string): Promise<void> {
  const now = deps.clock.now();
  const ms = deps.settings.get('login.windowMinutes') * MINUTE_MS;
  await countInWindow(deps.pool, { key: `login:${phone}:${address}`, max: Number.MAX_SAFE_INTEGER, ms }, now);
  await countInWindow(deps.pool, { key: `login-phone:${phone}`, max: Number.MAX_SAFE_INTEGER, ms }, now);
}

/** Answers login, logout and the change of password. */
export function sessionCalls(declare: Declare, deps: SessionDeps): void {
  const { pool, clock } = deps;
  declare(account.login, async ({ body, address, request }) => {
    const phone = normalisePhone(body.username, deps.config.variant) ?? body.username;
    await refuseGuessing(deps, phone, address);
    const found = await findLogin(pool, phone);
    if (!(await checkPassword(found?.password_hash ?? null, body.password)) || !found) {
      await countFailure(deps, phone, address);
      throw new Refusal('WRONG_CREDENTIAL');
    }
    if (found.status === 'CLOSED') throw new Refusal('gone');
    if (found.status === 'SUSPENDED') throw new Refusal('INACTIVE_USER');
    await closeWindow(pool, `login:${phone}:${address}`);
    const token = newToken();
    const now = clock.now();
    await insertSession(pool, {
      tokenHash: hashToken(token),
      memberId: found.id,
      address,
      now,
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
      expiresAt: new Date(now.getTime() + deps.settings.get('session.days') * DAY_MS),
    });
    return { token };
  });
  declare(account.logout, async ({ member }) => {
    await endSession(pool, member.tokenHash, 'logout', clock.now());
    return { message: 'OK' };
  });
  declare(account.changePassword, async ({ member, body, address }) => {
    await refuseGuessing(deps, member.phone, address);
    if (!(await checkPassword(await readPasswordHash(pool, member.id), body.oldPassword))) {
      await countFailure(deps, member.phone, address);
      throw new Refusal('WRONG_PASSWORD');
    }
    const hash = await hashPassword(body.newPassword);
    await inTransaction(pool, async (tx) => {
      await writePassword(tx, member.id, hash, clock.now());
      await endOtherSessions(tx, member.id, member.tokenHash, clock.now());
    });
    return { message: 'OK' };
  });
}
