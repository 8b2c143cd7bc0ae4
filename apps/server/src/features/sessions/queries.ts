import type { MemberStatus } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';
import { networkOf } from '../../platform/http/caller.ts';

export interface LoginRow {
  id: bigint;
  password_hash: string;
  status: MemberStatus;
}

export async function findLogin(db: Db, phone: string): Promise<LoginRow | undefined> {
  return (await db.query('select id, password_hash, status from member where phone = $1', [phone])).rows[0];
}

export async function readPasswordHash(db: Db, memberId: bigint): Promise<string | null> {
  return (
    (await db.query('select password_hash from member where id = $1', [memberId])).rows[0]?.password_hash ??
    null
  );
}

/**
 * Writes a password; with `seen`, the hash that the old one was checked against, only while that still counts: false
 * when another was set meanwhile. Before sessions are ended in a transaction, so that no login happens in between.
 */
export async function writePassword(
  db: Db,
  memberId: bigint,
  hash: string,
  now: Date,
  seen: string | null = null,
): Promise<boolean> {
  const result = await db.query(
    'update member set password_hash = $2, password_changed_at = $3 where id = $1 and ($4::text is null or password_hash = $4)',
    [memberId, hash, now, seen],
  );
  return result.rowCount === 1;
}

/**
 * Opens a session of the member with the password behind `passwordHash`; false when another password was set meanwhile. The
 * member's row is locked, so that a concurrent password change ends this session or is waited for.
 */
export async function insertSession(
  db: Db,
  session: {
    tokenHash: Buffer;
    memberId: bigint;
    passwordHash: string;
    address: string;
    userAgent: string | null;
    deviceIsNew: boolean;
    now: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const result = await db.query(
    `insert into session (token_hash, member_id, created_at, expires_at, address, user_agent, device_is_new, network)
     select $1, m.id, $3, $4, $5, $6, $7, case when is_outside($5) then $9::text end from member m where m.id = $2 and m.password_hash = $8 for share`,
    [
      session.tokenHash,
      session.memberId,
      session.now,
      session.expiresAt,
      session.address,
      session.userAgent,
      session.deviceIsNew,
      session.passwordHash,
      networkOf(session.address),
    ],
  );
  return result.rowCount === 1;
}

/** What the browsers of a member's last 200 logins called themselves; empty for who has never logged in. */
export async function listUserAgents(db: Db, memberId: bigint): Promise<(string | null)[]> {
  const result = await db.query(
    `select distinct user_agent from (
       select user_agent from session where member_id = $1 order by created_at desc limit 200) s`,
    [memberId],
  );
  return result.rows.map((row) => row.user_agent);
}

/** Ends one session; ending it again changes nothing. */
export async function endSession(
  db: Db,
  tokenHash: Buffer,
  by: 'logout' | 'operator' | 'password',
  now: Date,
): Promise<void> {
  await db.query(
    'update session set ended_at = $3, ended_by = $2 where token_hash = $1 and ended_at is null',
    [tokenHash, by, now],
  );
}

/** Ends every session of a member but the one that changed the password. */
export async function endOtherSessions(db: Db, memberId: bigint, but: Buffer, now: Date): Promise<void> {
  await db.query(
    "update session set ended_at = $3, ended_by = 'password' where member_id = $1 and token_hash <> $2 and ended_at is null",
    [memberId, but, now],
  );
}

/** Ends every session of a member, because their password was reset outside of them. */
export async function endSessionsForPassword(db: Db, memberId: bigint, now: Date): Promise<void> {
  await db.query(
    "update session set ended_at = $2, ended_by = 'password' where member_id = $1 and ended_at is null",
    [memberId, now],
  );
}

export interface SessionRow {
  id: string;
  is_this: boolean;
  address: string | null;
  user_agent: string | null;
  created_at: Date;
  seen_at: Date;
  /** From a device that was new then, and not confirmed since. */
  is_new: boolean;
}

/** The member's living sessions, their own first. */
export async function listSessions(
  db: Db,
  member: { id: bigint; tokenHash: Buffer },
  now: Date,
  idleSince: Date,
): Promise<SessionRow[]> {
  const result = await db.query(
    `select id, token_hash = $2 as is_this, address, user_agent, created_at, coalesce(last_seen_at, created_at) as seen_at,
       device_is_new and confirmed_at is null as is_new
     from session
     where member_id = $1 and ended_at is null and expires_at > $3 and coalesce(last_seen_at, created_at) > $4
     order by is_this desc, seen_at desc limit 100`,
    [member.id, member.tokenHash, now, idleSince],
  );
  return result.rows;
}

/** Notes that a login was the member's own; false when they have no such session. Another time changes nothing. */
export async function confirmSession(db: Db, memberId: bigint, id: string, now: Date): Promise<boolean> {
  const result = await db.query(
    'update session set confirmed_at = coalesce(confirmed_at, $3) where member_id = $1 and id::text = $2',
    [memberId, id, now],
  );
  return result.rowCount === 1;
}

/** Whether the calling session came from a new device and has not been confirmed. */
export async function isInQuestion(db: Db, tokenHash: Buffer): Promise<boolean> {
  const sql = 'select 1 from session where token_hash = $1 and device_is_new and confirmed_at is null';
  return (await db.query(sql, [tokenHash])).rows.length > 0;
}

/** Ends one of the member's sessions by its id; false when they have none of it. Ending it again changes nothing. */
export async function endOwnSession(db: Db, memberId: bigint, id: string, now: Date): Promise<boolean> {
  const result = await db.query(
    `update session set ended_at = coalesce(ended_at, $3), ended_by = coalesce(ended_by, 'member')
     where member_id = $1 and id::text = $2`,
    [memberId, id, now],
  );
  return result.rowCount === 1;
}

/** Ends the member's other sessions on their word; returns how many. */
export async function endElsewhere(db: Db, memberId: bigint, but: Buffer, now: Date): Promise<number> {
  const result = await db.query(
    "update session set ended_at = $3, ended_by = 'member' where member_id = $1 and token_hash <> $2 and ended_at is null",
    [memberId, but, now],
  );
  return result.rowCount ?? 0;
}

/** Ends every session of a member on an operator's word; returns how many. */
export async function endAllSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  const result = await db.query(
    "update session set ended_at = $2, ended_by = 'operator' where member_id = $1 and ended_at is null",
    [memberId, now],
  );
  return result.rowCount ?? 0;
}

/** The PIN before withdrawals, hashed; null when none is demanded. */
export async function readPinHash(db: Db, memberId: bigint): Promise<string | null> {
  const result = await db.query('select pin_hash from member where id = $1', [memberId]);
  return result.rows[0]?.pin_hash ?? null;
}

/** Writes the PIN, or with null forgets it; what sessions had proven counts for nothing any more. */
export async function writePin(db: Db, memberId: bigint, hash: string | null, now: Date): Promise<void> {
  await db.query(
    'update member set pin_hash = $2, pin_set_at = case when $2::text is null then null else $3::timestamptz end where id = $1',
    [memberId, hash, now],
  );
  await db.query(
    'update session set pin_proven_at = null where member_id = $1 and pin_proven_at is not null',
    [memberId],
  );
}

/** Notes that a session has proven the PIN behind `pinHash`; false when another counts by now, or none. */
export async function notePinProven(
  db: Db,
  member: { id: bigint; tokenHash: Buffer },
  pinHash: string,
  now: Date,
): Promise<boolean> {
  const result = await db.query(
    `with held as (select 1 from member where id = $2 and pin_hash = $4 for share)
     update session set pin_proven_at = $3 where token_hash = $1 and exists (select from held)`,
    [member.tokenHash, member.id, now, pinHash],
  );
  return result.rowCount === 1;
}

/** Deletes the oldest sessions whose time was over before a moment, at most `count` of them. */
export async function deleteSessions(db: Db, before: Date, count: number): Promise<void> {
  await db.query(
    `delete from session where token_hash = any(array(
       select s.token_hash from session s where s.expires_at < $1
         and not exists (select from push_subscription p where p.session_hash = s.token_hash)
       order by s.expires_at limit $2))`,
    [before, count],
  );
}
