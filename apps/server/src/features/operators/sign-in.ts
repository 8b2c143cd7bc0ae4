import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { account } from '@krapao/contract/operator';
import type { FastifyReply } from 'fastify';
import { writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { cookieName, type OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newToken } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import { hashPassword } from '../../platform/passwords.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { hashToken, type Secrets } from '../../platform/secrets.ts';
import type { SecurityLog } from '../../platform/security-log.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { proveOperator, takeSignInTry } from './proof.ts';
import {
  endOperatorSessions,
  findEnrolment,
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
  limits: Limits;
  config: Config;
  settings: Settings;
  clock: Clock;
  secrets: Secrets;
  security: Pick<SecurityLog, 'identify'>;
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
  idleEndsAt: Date,
) => ({
  name: operator.name,
  role: operator.role,
  permissions: [...permissions] as never[],
  sandbox: deps.config.sandbox,
  makerChecker: deps.settings.get('desk.makerChecker'),
  idleSeconds: Math.max(0, Math.ceil((idleEndsAt.getTime() - deps.clock.now().getTime()) / 1000)),
});

/** Opens a session and tells the trail, together. Throws WRONG_CREDENTIAL when another password was set meanwhile. */
async function openSession(
  refuse: Refuse<'WRONG_CREDENTIAL'>,
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
    if (!isOpen) throw refuse('WRONG_CREDENTIAL');
    const actor = { ...operator, address: from.address };
    await writeAudit(
      tx,
      actor,
      { action: 'operator.login', subject: entityRef('operator', operator.name) },
      now,
    );
  });
  setCookie(deps, reply, token, hours * 3600);
}

function loginCall(declare: OperatorDeclare, deps: SignInDeps): void {
  declare(account.login, async ({ body, address, request, reply, refuse }) => {
    deps.security.identify(request, { kind: 'operator', name: body.name });
    const operator = await proveOperator(deps, body.name, address, body);
    if (!operator) throw refuse('WRONG_CREDENTIAL');
    if (operator.status !== 'ACTIVE') throw refuse('INACTIVE_USER');
    const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null;
    await openSession(refuse, deps, operator, { address, userAgent }, reply);
    const idleMs = deps.settings.get('desk.sessionIdleMinutes') * MINUTE_MS;
    const idleEndsAt = new Date(deps.clock.now().getTime() + idleMs);
    return meOf(deps, operator, (await findRole(deps.pool, operator.role)) ?? [], idleEndsAt);
  });
}

function enrolmentCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const find = async (
    refuse: Refuse<'ENROLMENT_INVALID'>,
    db: Parameters<typeof findEnrolment>[0],
    token: string,
  ) => {
    const operator = await findEnrolment(db, hashToken(token), deps.clock.now());
    if (!operator?.totp_sealed) throw refuse('ENROLMENT_INVALID');
    return { ...operator, totp_sealed: operator.totp_sealed };
  };
  declare(account.readEnrolment, async ({ body, address, refuse }) => {
    const attempt = await takeSignInTry(deps, '', address);
    const operator = await find(refuse, deps.pool, body.token);
    await attempt.cancel();
    return {
      name: operator.name,
      otpauth: otpauthAddress(deps.secrets, operator.name, operator.totp_sealed),
    };
  });
  declare(account.enrol, async ({ body, address, refuse }) => {
    const attempt = await takeSignInTry(deps, '', address);
    await find(refuse, deps.pool, body.token);
    let hash: string;
    try {
      hash = await hashPassword(body.password, { lane: 'operator', address });
    } catch (error) {
      await attempt.cancel();
      throw error;
    }
    await inTransaction(deps.pool, async (tx) => {
      const operator = await find(refuse, tx, body.token);
      if (!(await useCode(tx, deps.secrets, operator, body.code, deps.clock.now())))
        throw refuse('WRONG_CREDENTIAL');
      await finishEnrolment(tx, operator.id, hash);
      const auditEntry = { action: 'operator.enrol', subject: entityRef('operator', operator.name) };
      await writeAudit(tx, { ...operator, address }, auditEntry, deps.clock.now());
    });
    await attempt.cancel();
    return { message: 'OK' };
  });
}

function ownCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  const { pool, clock } = deps;
  declare(account.readMe, async ({ operator }) =>
    meOf(deps, operator, [...operator.permissions], operator.idleEndsAt),
  );
  declare(account.logout, async ({ operator, actor, reply }) => {
    await inTransaction(pool, async (tx) => {
      await endOperatorSessions(tx, operator.id, { only: operator.sessionId }, clock.now());
      const auditEntry = { action: 'operator.logout', subject: entityRef('operator', operator.name) };
      await writeAudit(tx, actor, auditEntry, clock.now());
    });
    setCookie(deps, reply, '', 0);
    return { message: 'OK' };
  });
  declare(account.changePassword, async ({ operator, actor, body, address, refuse }) => {
    const given = { password: body.oldPassword, code: body.code };
    const row = await proveOperator(deps, operator.name, address, given);
    if (!row?.password_hash) throw refuse('WRONG_CREDENTIAL');
    const seen = row.password_hash;
    const hash = await hashPassword(body.newPassword, { lane: 'operator', address });
    await inTransaction(pool, async (tx) => {
      if (!(await writePassword(tx, operator.id, hash, seen))) throw refuse('WRONG_CREDENTIAL');
      const ended = await endOperatorSessions(tx, operator.id, { but: operator.sessionId }, clock.now());
      const auditEntry = {
        action: 'operator.password',
        subject: entityRef('operator', operator.name),
        after: { ended },
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
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
  declare(account.endMySession, async ({ operator, actor, params, refuse }) => {
    await inTransaction(pool, async (tx) => {
      const ended = await endOperatorSessions(tx, operator.id, { only: params.id }, clock.now());
      if (ended === 0) throw refuse('NO_DATA');
      const auditEntry = { action: 'operator.session-end', subject: entityRef('operator', operator.name) };
      await writeAudit(tx, actor, auditEntry, clock.now());
    });
    return { message: 'OK' };
  });
}

/** Answers signing in and out, enrolment, and what concerns only the operator themselves. */
export function signInCalls(declare: OperatorDeclare, deps: SignInDeps): void {
  loginCall(declare, deps);
  enrolmentCalls(declare, deps);
  ownCalls(declare, deps);
  sessionCalls(declare, deps);
}
