import { account } from '@krapao/contract/operator';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import { writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { networkOf } from '../../platform/http/caller.ts';
import { cookieName, type OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newToken } from '../../platform/ids.ts';
import { checkPassword, hashPassword } from '../../platform/passwords.ts';
import { Refusal } from '../../platform/refusal.ts';
import { hashToken, type Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeWindow, countInWindow, uncount } from '../../platform/throttle.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  endOperatorSessions,
  findEnrolment,
  findOperator,
  findRole,
  finishEnrolment,
  insertOperatorSession,
  listOperatorSessions,
  type OperatorRow,
  writePassword,
} from './queries.ts';
import { otpauthAddress, useCode } from './second-factor.ts';

export interface SignInDeps {
  pool: Pool;
  config: Config;
  settings: Settings;
  clock: Clock;
  secrets: Secrets;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ADDRESS_TRIES_MAX = 60;

const tryKey = (name: string, address: string): string => `operator-login:${name}:${networkOf(address)}`;
const addressKey = (address: string): string => `operator-address:${networkOf(address)}`;

/** Takes one try at a name from an address, and one of the address's, before anything is checked. */
async function takeTry(deps: SignInDeps, name: string, address: string): Promise<void> {
  const now = deps.clock.now();
  const ms = deps.settings.get('login.windowMinutes') * MINUTE_MS;
  const windows = [
    { key: tryKey(name, address), max: deps.settings.get('login.failuresMax'), ms },
    { key: addressKey(address), max: ADDRESS_TRIES_MAX, ms },
  ];
  for (const window of windows)
    if (!(await countInWindow(deps.pool, window, now))) throw new Refusal('REQUEST_LIMIT');
}

/** A right answer costs an address nothing: a whole office may sign in from one. */
async function giveTryBack(deps: SignInDeps, name: string, address: string): Promise<void> {
  await uncount(deps.pool, tryKey(name, address));
  await uncount(deps.pool, addressKey(address));
}

/** Password and code together: which of them was wrong is not told. */
async function prove(
  deps: SignInDeps,
  operator: OperatorRow | undefined,
  given: { password: string; code: string },
): Promise<boolean> {
  const isRight = await checkPassword(operator?.password_hash ?? null, given.password);
  return isRight && useCode(deps.pool, deps.secrets, operator!, given.code, deps.clock.now());
}

function setCookie(deps: SignInDeps, reply: FastifyReply, token: string, seconds: number): void {
  const secure = deps.config.production ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${cookieName(deps.config)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}

const meOf = (
  deps: SignInDeps,
  operator: { name: string; role: string },
  permissions: readonly string[],
) => ({
  name: operator.name,
  role: operator.role,
  permissions: [...permissions] as never[],
  sandbox: deps.config.sandbox,
  makerChecker: deps.settings.get('desk.makerChecker'),
});

/** Opens a session and tells the trail, together. Throws WRONG_CREDENTIAL when another password was set meanwhile. */
async function openSession(
  deps: SignInDeps,
  operator: OperatorRow,
  from: { address: string; userAgent: string | null },
  reply: FastifyReply,
): Promise<void> {
  const token = newToken();
  const now = deps.clock.now();
  const hours = deps.settings.get('desk.sessionHours');
  await inTransaction(deps.pool, async (tx) => {
    const isOpen = await insertOperatorSession(tx, {
      ...from,
      tokenHash: hashToken(token),
      id: newToken().slice(0, 20),
      operatorId: operator.id,
      passwordHash: operator.password_hash,
      now,
      expiresAt: new Date(now.getTime() + hours * HOUR_MS),
    });
    if (!isOpen) throw new Refusal('WRONG_CREDENTIAL');
    const actor = { ...operator, address: from.address };
    await writeAudit(tx, actor, { action: 'operator.login', thing: `operator:${operator.name}` }, now);
  });
  setCookie(deps, reply, token, hours * 3600);
}

function loginCall(declare: OperatorDeclare, deps: SignInDeps): void {
  declare(account.login, async ({ body, address, request, reply }) => {
    await takeTry(deps, body.name, address);
    const operator = await findOperator(deps.pool, body.name);
    if (!(await prove(deps, operator, body)) || !operator) throw new Refusal('WRONG_CREDENTIAL');
    await closeWindow(deps.pool, tryKey(body.name, address));
    await uncount(deps.pool, addressKey(address));
    if (operator.status !== 'ACTIVE') throw new Refusal('INACTIVE_USER');
    const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null;
    await openSession(deps, operator, { address, userAgent }, reply);
    return meOf(deps, operator, (await findRole(deps.pool, operator.role)) ?? []);
  });
}

function enrolmentCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const find = async (db: Parameters<typeof findEnrolment>[0], token: string) => {
    const operator = await findEnrolment(db, hashToken(token), deps.clock.now());
    if (!operator?.totp_sealed) throw new Refusal('ENROLMENT_INVALID');
    return { ...operator, totp_sealed: operator.totp_sealed };
  };
  declare(account.readEnrolment, async ({ body, address }) => {
    await takeTry(deps, '', address);
    const operator = await find(deps.pool, body.token);
    await giveTryBack(deps, '', address);
    return {
      name: operator.name,
      otpauth: otpauthAddress(deps.secrets, operator.name, operator.totp_sealed),
    };
  });
  declare(account.enrol, async ({ body, address }) => {
    await takeTry(deps, '', address);
    const hash = await hashPassword(body.password);
    await inTransaction(deps.pool, async (tx) => {
      const operator = await find(tx, body.token);
      if (!(await useCode(tx, deps.secrets, operator, body.code, deps.clock.now())))
        throw new Refusal('WRONG_CREDENTIAL');
      await finishEnrolment(tx, operator.id, hash);
      const act = { action: 'operator.enrol', thing: `operator:${operator.name}` };
      await writeAudit(tx, { ...operator, address }, act, deps.clock.now());
    });
    await giveTryBack(deps, '', address);
    return { message: 'OK' };
  });
}

function ownCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(account.readMe, async ({ operator }) => meOf(deps, operator, [...operator.permissions]));
  declare(account.logout, async ({ operator, actor, reply }) => {
    await inTransaction(pool, async (tx) => {
      await endOperatorSessions(tx, operator.id, { only: operator.sessionId }, clock.now());
      const act = { action: 'operator.logout', thing: `operator:${operator.name}` };
      await writeAudit(tx, actor, act, clock.now());
    });
    setCookie(deps, reply, '', 0);
    return { message: 'OK' };
  });
  declare(account.changePassword, async ({ operator, actor, body, address }) => {
    await takeTry(deps, operator.name, address);
    const row = await findOperator(pool, operator.name);
    if (!row?.password_hash || !(await prove(deps, row, { password: body.oldPassword, code: body.code })))
      throw new Refusal('WRONG_CREDENTIAL');
    await closeWindow(pool, tryKey(operator.name, address));
    const [seen, hash] = [row.password_hash, await hashPassword(body.newPassword)];
    await inTransaction(pool, async (tx) => {
      if (!(await writePassword(tx, operator.id, hash, seen))) throw new Refusal('WRONG_CREDENTIAL');
      const ended = await endOperatorSessions(tx, operator.id, { but: operator.sessionId }, clock.now());
      const act = { action: 'operator.password', thing: `operator:${operator.name}`, after: { ended } };
      await writeAudit(tx, actor, act, clock.now());
    });
    return { message: 'OK' };
  });
}

/** Since when a session must have been used to count. */
export const idleSince = (deps: Pick<SignInDeps, 'clock' | 'settings'>): Date =>
  new Date(deps.clock.now().getTime() - deps.settings.get('desk.sessionIdleMinutes') * MINUTE_MS);

function sessionCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(account.listMySessions, async ({ operator }) => ({
    sessions: (await listOperatorSessions(pool, operator.id, clock.now(), idleSince(deps))).map((row) => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      seenAt: row.seen_at.toISOString(),
      address: row.address,
      device: row.user_agent,
      current: row.id === operator.sessionId,
    })),
  }));
  declare(account.endMySession, async ({ operator, actor, params }) => {
    await inTransaction(pool, async (tx) => {
      const ended = await endOperatorSessions(tx, operator.id, { only: params.id }, clock.now());
      if (ended === 0) throw new Refusal('NO_DATA');
      const act = { action: 'operator.session-end', thing: `operator:${operator.name}` };
      await writeAudit(tx, actor, act, clock.now());
    });
    return { message: 'OK' };
  });
}

/** Answers signing in and out, enrolment, and what concerns only the operator himself. */
export function signInCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  loginCall(declare, deps);
  enrolmentCalls(declare, deps);
  ownCalls(declare, deps);
  sessionCalls(declare, deps);
}
