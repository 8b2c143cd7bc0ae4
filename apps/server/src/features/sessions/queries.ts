import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

export interface LoginRow {
  id: bigint;
  password_hash: string;
  status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
}

export async function findLogin(db: Db, phone: string): Promise<LoginRow | undefined> {
  return (await db.query<LoginRow>('select id, password_hash, status from member where phone = $1', [phone]))
    .rows[0];
}

export async function readPasswordHash(db: Db, memberId: bigint): Promise<string | null> {
  return (
    (await db.query<{ password_hash: string }>('select password_hash from member where id = $1', [memberId]))
      .rows[0]?.password_hash ?? null
  );
}

export async function writePassword(db: Db, memberId: bigint, hash: string, now: Date): Promise<void> {
  await db.query('update member set password_hash = $2, password_changed_at = $3 where id = $1', [
    memberId,
    hash,
    now,
  ]);
}

export async function insertSession(
  db: Db,
  session: {
    tokenHash: Buffer;
    memberId: bigint;
    address: string;
    userAgent: string | null;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.query(
    'insert into session (token_hash, member_id, created_at, expires_at, address, user_agent) values ($1, $2, $3, $4, $5, $6)',
    [session.tokenHash, session.memberId, session.now, session.expiresAt, session.address, session.userAgent],
  );
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

/** Ends every session of a member, because his password was set anew by somebody who was in none of them. */
export async function endSessionsForPassword(db: Db, memberId: bigint, now: Date): Promise<void> {
  await db.query(
    "update session set ended_at = $2, ended_by = 'password' where member_id = $1 and ended_at is null",
    [memberId, now],
  );
}

/** Ends every session of a member on an operator's word; answers how many. */
export async function endAllSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  const result = await db.query(
    "update session set ended_at = $2, ended_by = 'operator' where member_id = $1 and ended_at is null",
    [memberId, now],
  );
  return result.rowCount ?? 0;
}
