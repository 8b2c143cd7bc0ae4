import type { Db } from '../../platform/database/db.ts';

export interface AssignmentRow {
  operator_id: bigint;
  name: string;
  touched_at: Date;
}

/**
 * Assigns a subject to an operator when it is unassigned, its assignment expired, or it is theirs or the caller's; one statement
 * decides. Returns whether the operator had it already; undefined when it was not assigned.
 */
export async function upsertAssignment(
  db: Db,
  intent: { subject: string; operatorId: bigint; callerId: bigint; now: Date; freeBefore: Date },
): Promise<boolean | undefined> {
  const { rows } = await db.query(
    `insert into assignment (subject, operator_id, assigned_at, touched_at) values ($1, $2, $3, $3)
     on conflict (subject) do update set operator_id = excluded.operator_id, touched_at = excluded.touched_at,
       assigned_at = case when assignment.operator_id = excluded.operator_id then assignment.assigned_at else excluded.assigned_at end
       where assignment.operator_id in (excluded.operator_id, $5) or assignment.touched_at <= $4
     returning exists (select from assignment b
       where b.subject = $1 and b.operator_id = $2 and b.touched_at > $4) as had`,
    [intent.subject, intent.operatorId, intent.now, intent.freeBefore, intent.callerId],
  );
  return rows[0]?.had;
}

const SELECT =
  'select a.operator_id, o.name, a.touched_at from assignment a join operator o on o.id = a.operator_id where a.subject = $1';

export async function findAssignment(db: Db, subject: string): Promise<AssignmentRow | undefined> {
  return (await db.query(SELECT, [subject])).rows[0];
}

export async function lockAssignment(db: Db, subject: string): Promise<AssignmentRow | undefined> {
  return (await db.query(`${SELECT} for update of a`, [subject])).rows[0];
}

export async function deleteAssignment(db: Db, subject: string, operatorId: bigint): Promise<boolean> {
  const result = await db.query('delete from assignment where subject = $1 and operator_id = $2', [
    subject,
    operatorId,
  ]);
  return result.rowCount === 1;
}
