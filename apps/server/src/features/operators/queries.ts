import type { Currency, OperatorStatus } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import type { Refuse } from '../../platform/refusal.ts';

export interface OperatorRow {
  id: bigint;
  name: string;
  password_hash: string | null;
  role: string;
  status: OperatorStatus;
  totp_sealed: Buffer | null;
  enrolment_expires_at: Date | null;
}

const COLUMNS = 'id, name, password_hash, role, status, totp_sealed, enrolment_expires_at';

export async function findOperator(db: Db, name: string): Promise<OperatorRow | undefined> {
  return (await db.query(`select ${COLUMNS} from operator where name = $1`, [name])).rows[0];
}

/** The operator with this name, locked until the transaction ends. */
export async function lockOperator(db: Db, name: string): Promise<OperatorRow | undefined> {
  return (await db.query(`select ${COLUMNS} from operator where name = $1 for no key update`, [name]))
    .rows[0];
}

/** The same; throws NO_DATA when there is none. */
export async function getOperatorOrThrow(
  refuse: Refuse<'NO_DATA'>,
  tx: PoolClient,
  name: string,
): Promise<OperatorRow> {
  const row = await lockOperator(tx, name);
  if (!row) throw refuse('NO_DATA');
  return row;
}

/**
 * Finds the operator of an unused enrolment and locks the row. One whose maker is not active or may not manage operators
 * counts for nothing meanwhile, as their pending requests do.
 */
export async function findEnrolment(db: Db, hash: Buffer, now: Date): Promise<OperatorRow | undefined> {
  const sql = `select ${COLUMNS} from operator where enrolment_hash = $1 and enrolment_expires_at > $2
    and (enrolment_maker_id is null or exists (
      select from operator m join operator_role r on r.code = m.role
      where m.id = operator.enrolment_maker_id and m.status = 'ACTIVE' and 'operator.manage' = any(r.permissions)))
    for no key update` as const;
  return (await db.query(sql, [hash, now])).rows[0];
}

export interface Enrolment {
  tokenHash: Buffer;
  sealed: Buffer;
  expiresAt: Date;
  /** The operator who has the link; null: it was made on the command line. */
  makerId: bigint | null;
}

/** Adds an invited operator; false when the name is taken. */
export async function insertOperator(
  db: Db,
  operator: { name: string; role: string; now: Date },
  enrolment: Enrolment,
): Promise<boolean> {
  const result = await db.query(
    `insert into operator (name, role, status, created_at, totp_sealed, enrolment_hash, enrolment_expires_at, enrolment_maker_id)
     values ($1, $2, 'INVITED', $3, $4, $5, $6, $7) on conflict (name) do nothing`,
    [
      operator.name,
      operator.role,
      operator.now,
      enrolment.sealed,
      enrolment.tokenHash,
      enrolment.expiresAt,
      enrolment.makerId,
    ],
  );
  return result.rowCount === 1;
}

/** Takes password and second factor away until the new enrolment is used. */
export async function inviteAgain(db: Db, id: bigint, enrolment: Enrolment): Promise<void> {
  await db.query(
    `update operator set status = 'INVITED', password_hash = null, totp_sealed = $2, totp_step = 0, enrolment_hash = $3, enrolment_expires_at = $4,
       enrolment_maker_id = $5
     where id = $1`,
    [id, enrolment.sealed, enrolment.tokenHash, enrolment.expiresAt, enrolment.makerId],
  );
}

/** The enrolment is used up: from now on password and code sign in. */
export async function finishEnrolment(db: Db, id: bigint, passwordHash: string): Promise<void> {
  await db.query(
    `update operator set status = 'ACTIVE', password_hash = $2, enrolment_hash = null, enrolment_expires_at = null,
       enrolment_maker_id = null
     where id = $1`,
    [id, passwordHash],
  );
}

/** Takes a time step of the second factor; false when this or a later one was taken before, so a code counts once. */
export async function takeStep(db: Db, id: bigint, step: number): Promise<boolean> {
  const result = await db.query('update operator set totp_step = $2 where id = $1 and totp_step < $2', [
    id,
    step,
  ]);
  return result.rowCount === 1;
}

/** Writes a password in place of the one behind `seen`; false when that counts no more. */
export async function writePassword(db: Db, id: bigint, hash: string, seen: string): Promise<boolean> {
  const result = await db.query(
    'update operator set password_hash = $2 where id = $1 and password_hash = $3',
    [id, hash, seen],
  );
  return result.rowCount === 1;
}

/** Writes a status; a suspension ends an enrolment that is not used yet. */
export async function writeStatus(db: Db, id: bigint, status: 'ACTIVE' | 'SUSPENDED'): Promise<void> {
  await db.query(
    `update operator set status = $2,
       enrolment_hash = case when $2 = 'ACTIVE' then enrolment_hash end,
       enrolment_expires_at = case when $2 = 'ACTIVE' then enrolment_expires_at end,
       enrolment_maker_id = case when $2 = 'ACTIVE' then enrolment_maker_id end
     where id = $1`,
    [id, status],
  );
}

/** Ends the unused enrolments that an operator made; returns the names of the operators they were for. */
export async function endEnrolmentsMadeBy(db: Db, makerId: bigint): Promise<string[]> {
  const result = await db.query(
    `update operator set enrolment_hash = null, enrolment_expires_at = null, enrolment_maker_id = null
     where enrolment_maker_id = $1 and enrolment_hash is not null returning name`,
    [makerId],
  );
  return result.rows.map(({ name }) => name).toSorted();
}

export async function writeRoleOf(db: Db, id: bigint, role: string): Promise<void> {
  await db.query('update operator set role = $2 where id = $1', [id, role]);
}

/**
 * Opens a session of an active operator with the password behind `passwordHash`; false when that counts no more. The operator's row is
 * locked, so that a concurrent change of the password ends this session or is waited for.
 */
export async function insertOperatorSession(
  db: Db,
  session: {
    tokenHash: Buffer;
    id: string;
    operatorId: bigint;
    passwordHash: string | null;
    now: Date;
    expiresAt: Date;
    address: string;
    userAgent: string | null;
  },
): Promise<boolean> {
  const result = await db.query(
    `insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address, user_agent)
     select $1, $2, o.id, $4, $4, $5, $6, $7
     from operator o where o.id = $3 and o.password_hash = $8 and o.status = 'ACTIVE' for share`,
    [
      session.tokenHash,
      session.id,
      session.operatorId,
      session.now,
      session.expiresAt,
      session.address,
      session.userAgent,
      session.passwordHash,
    ],
  );
  return result.rowCount === 1;
}

/** Ends sessions of an operator: one, or all but one; returns how many. */
export async function endOperatorSessions(
  db: Db,
  operatorId: bigint,
  which: { only?: string; but?: string },
  now: Date,
): Promise<number> {
  const result = await db.query(
    `update operator_session set ended_at = $2 where operator_id = $1 and ended_at is null
       and ($3::text is null or id = $3) and ($4::text is null or id <> $4)`,
    [operatorId, now, which.only ?? null, which.but ?? null],
  );
  return result.rowCount ?? 0;
}

export interface SessionRow {
  id: string;
  created_at: Date;
  seen_at: Date;
  address: string;
  user_agent: string | null;
}

/** The operator's sessions that were neither ended nor are too old. */
export async function listOperatorSessions(
  db: Db,
  operatorId: bigint,
  now: Date,
  idleSince: Date,
): Promise<SessionRow[]> {
  const result = await db.query(
    `select id, created_at, seen_at, address, user_agent from operator_session
     where operator_id = $1 and ended_at is null and expires_at > $2 and seen_at > $3 order by seen_at desc`,
    [operatorId, now, idleSince],
  );
  return result.rows;
}

export interface TeamRow {
  name: string;
  role: string;
  status: OperatorStatus;
  created_at: Date;
  last_seen_at: Date | null;
  sessions: number;
}

/**
 * Every operator, with when they were last seen and how many sessions are open. A session that expired before its
 * operator's latest one was last used is neither open nor the last seen.
 */
export async function listOperators(db: Db, now: Date, idleSince: Date): Promise<TeamRow[]> {
  const result = await db.query(
    `select o.name, o.role, o.status, o.created_at, l.seen_at as last_seen_at, l.sessions
     from operator o cross join lateral (
       select max(s.seen_at) as seen_at,
         count(*) filter (where s.ended_at is null and s.expires_at > $1 and s.seen_at > $2)::int as sessions
       from operator_session s
       where s.operator_id = o.id and s.expires_at >=
         (select x.seen_at from operator_session x where x.operator_id = o.id order by x.expires_at desc limit 1)
     ) l
     order by o.name`,
    [now, idleSince],
  );
  return result.rows;
}

interface RoleRow {
  code: string;
  name: string | null;
  permissions: string[];
  operators: number;
}

export async function listRoles(db: Db): Promise<RoleRow[]> {
  const result = await db.query(
    `select r.code, r.name, r.permissions, (select count(*)::int from operator o where o.role = r.code) as operators
     from operator_role r order by r.code`,
  );
  return result.rows;
}

/** The name operators gave a role; null: the standard one. */
export async function findRoleName(db: Db, code: string): Promise<string | null> {
  return (await db.query('select name from operator_role where code = $1', [code])).rows[0]?.name ?? null;
}

/** Removes an unassigned role, with its limits; false when an operator has it. */
export async function deleteRole(tx: PoolClient, code: string): Promise<boolean> {
  const sql =
    'delete from operator_role where code = $1 and not exists (select 1 from operator o where o.role = $1)';
  if ((await tx.query(sql, [code])).rowCount !== 1) return false;
  await writeLimits(tx, `role:${code}`, []);
  return true;
}

/** A limit in minor units; null: none of this sort. */
export interface LimitRow {
  kind: 'pay' | 'credit';
  currency: Currency;
  action_max: bigint | null;
  day_max: bigint | null;
}

/** Limits by subject: `role:<code>` or `operator:<name>`. */
export async function listLimits(db: Db): Promise<(LimitRow & { subject: string })[]> {
  const sql =
    'select subject, kind, currency, action_max, day_max from operator_limit order by subject, kind desc, currency';
  return (await db.query(sql)).rows;
}

/** Puts these limits in place of all that a subject has. */
export async function writeLimits(
  tx: PoolClient,
  subject: string,
  limits: readonly LimitRow[],
): Promise<void> {
  await tx.query('delete from operator_limit where subject = $1', [subject]);
  for (const limit of limits)
    await tx.query(
      'insert into operator_limit (subject, kind, currency, action_max, day_max) values ($1, $2, $3, $4, $5)',
      [subject, limit.kind, limit.currency, limit.action_max, limit.day_max],
    );
}

export async function findRole(db: Db, code: string): Promise<string[] | null> {
  const result = await db.query('select permissions from operator_role where code = $1', [code]);
  return result.rows[0]?.permissions ?? null;
}

/** Changes a role's permissions and name, or adds the role. */
export async function writeRole(
  db: Db,
  { code, name, permissions }: { code: string; name: string | null; permissions: readonly string[] },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into operator_role (code, permissions, updated_at, name) values ($1, $2, $3, $4)
     on conflict (code) do update set permissions = excluded.permissions, updated_at = excluded.updated_at, name = excluded.name`,
    [code, permissions, now, name],
  );
}
