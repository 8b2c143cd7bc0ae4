import type { Db } from '../../platform/database/db.ts';

export interface ClaimRow {
  operator_id: bigint;
  name: string;
  touched_at: Date;
}

/** Takes a subject that nobody has, that has freed itself, or that is the caller's own; one statement decides. */
export async function takeClaim(
  db: Db,
  wish: { subject: string; operatorId: bigint; now: Date; freeBefore: Date },
): Promise<boolean> {
  const result = await db.query(
    `insert into claim (subject, operator_id, claimed_at, touched_at) values ($1, $2, $3, $3)
     on conflict (subject) do update set operator_id = excluded.operator_id, touched_at = excluded.touched_at,
       claimed_at = case when claim.operator_id = excluded.operator_id then claim.claimed_at else excluded.claimed_at end
       where claim.operator_id = excluded.operator_id or claim.touched_at <= $4`,
    [wish.subject, wish.operatorId, wish.now, wish.freeBefore],
  );
  return result.rowCount === 1;
}

const SELECT =
  'select c.operator_id, o.name, c.touched_at from claim c join operator o on o.id = c.operator_id where c.subject = $1';

export async function findClaim(db: Db, subject: string): Promise<ClaimRow | undefined> {
  return (await db.query<ClaimRow>(SELECT, [subject])).rows[0];
}

export async function lockClaim(db: Db, subject: string): Promise<ClaimRow | undefined> {
  return (await db.query<ClaimRow>(`${SELECT} for update of c`, [subject])).rows[0];
}

export async function deleteClaim(db: Db, subject: string, operatorId: bigint): Promise<boolean> {
  const result = await db.query('delete from claim where subject = $1 and operator_id = $2', [
    subject,
    operatorId,
  ]);
  return result.rowCount === 1;
}
