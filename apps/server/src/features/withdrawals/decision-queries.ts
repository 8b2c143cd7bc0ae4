import type { LocalizedText } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';

export type DecisionKind = 'APPROVE' | 'REJECT';

export interface NewDecision {
  kind: DecisionKind;
  /** The status to return to when it is undone. */
  seen: 'REVIEW' | 'QUEUED';
  reason: string | null;
  /** What the member of a rejected withdrawal reads. */
  notice: LocalizedText | null;
  /** As the audit trail names who decided. */
  actor: string;
  /** Who may undo it; null for the command line. */
  operatorId: bigint | null;
  /** The request that it approved. */
  approvalId: string | null;
  /** Until it is carried out. */
  undoSeconds: number;
}

/** Records a decision about a locked withdrawal, which waits in REVIEW until it is carried out. */
export async function insertDecision(
  tx: PoolClient,
  id: string,
  decision: NewDecision,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into withdrawal_decision (withdrawal_id, kind, seen, reason, notice, actor, operator_id, approval_id, effective_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, now() + $9 * interval '1 second')`,
    [
      id,
      decision.kind,
      decision.seen,
      decision.reason,
      decision.notice && JSON.stringify(decision.notice),
      decision.actor,
      decision.operatorId,
      decision.approvalId,
      decision.undoSeconds,
    ],
  );
  await moveTo(tx, id, 'REVIEW', now);
}

/** Moves a locked withdrawal between review and the payout queue. */
export async function moveTo(
  tx: PoolClient,
  id: string,
  status: 'REVIEW' | 'QUEUED',
  now: Date,
): Promise<void> {
  await tx.query(
    "update withdrawal set status = $2, updated_at = $3 where id = $1 and status in ('REVIEW', 'QUEUED') and status <> $2",
    [id, status, now],
  );
}

/** The recorded decision about a withdrawal; read after its row was locked, it is the newest. */
export async function findDecision(db: Db, id: string): Promise<{ kind: DecisionKind } | undefined> {
  return (await db.query('select kind from withdrawal_decision where withdrawal_id = $1', [id])).rows[0];
}

/** Takes a due decision for carrying it out: from then on it cannot be undone. Locks the withdrawal. */
export async function takeDecision(
  tx: PoolClient,
  id: string,
): Promise<{ kind: DecisionKind; reason: string | null; actor: string } | undefined> {
  await tx.query('select 1 from withdrawal where id = $1 for update', [id]);
  const result = await tx.query(
    `update withdrawal_decision set taken_at = coalesce(taken_at, now())
     where withdrawal_id = $1 and effective_at <= now() returning kind, reason, actor`,
    [id],
  );
  return result.rows[0];
}

export async function deleteDecision(db: Db, id: string): Promise<void> {
  await db.query('delete from withdrawal_decision where withdrawal_id = $1', [id]);
}

/** Deletes an operator's decision about a locked withdrawal; undefined when there is none that can be undone. */
export async function deleteUndone(
  tx: PoolClient,
  id: string,
  operatorId: bigint,
): Promise<{ kind: DecisionKind; seen: 'REVIEW' | 'QUEUED'; approval_id: string | null } | undefined> {
  const result = await tx.query(
    `delete from withdrawal_decision where withdrawal_id = $1 and operator_id = $2 and taken_at is null
     returning kind, seen, approval_id`,
    [id, operatorId],
  );
  return result.rows[0];
}

/** Decisions whose time to undo is over. */
export async function listDue(db: Db): Promise<string[]> {
  const result = await db.query(
    'select withdrawal_id as id from withdrawal_decision where effective_at <= now() order by effective_at limit 200',
  );
  return result.rows.map((row) => row.id);
}

export interface ReasonRow {
  code: string;
  notice: LocalizedText;
}

/** The reasons prepared for rejecting a withdrawal. */
export async function listReasons(db: Db): Promise<ReasonRow[]> {
  return (await db.query('select code, notice from rejection_reason order by code limit 100')).rows;
}

export async function findReason(db: Db, code: string): Promise<LocalizedText | undefined> {
  return (await db.query('select notice from rejection_reason where code = $1', [code])).rows[0]?.notice;
}

/** Stores a prepared reason and returns the former one of its code. */
export async function saveReason(
  tx: PoolClient,
  reason: ReasonRow & { by: string; now: Date },
): Promise<LocalizedText | null> {
  const before = await tx.query('select notice from rejection_reason where code = $1 for update', [
    reason.code,
  ]);
  await tx.query(
    `insert into rejection_reason (code, notice, changed_by, changed_at) values ($1, $2::jsonb, $3, $4)
     on conflict (code) do update set notice = excluded.notice, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
    [reason.code, JSON.stringify(reason.notice), reason.by, reason.now],
  );
  return before.rows[0]?.notice ?? null;
}

export async function removeReason(tx: PoolClient, code: string): Promise<LocalizedText | undefined> {
  const sql = 'delete from rejection_reason where code = $1 returning notice';
  return (await tx.query(sql, [code])).rows[0]?.notice;
}
