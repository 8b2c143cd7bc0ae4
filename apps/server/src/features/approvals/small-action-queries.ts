import type { PoolClient } from '../../platform/database/db.ts';

/** Something that one person may do up to a limit. */
export interface SmallAction {
  operatorId: bigint;
  /** The act by its maker's key or its subject: a repeat counts once. */
  reference: string;
  direction: 'credit' | 'debit';
  unit: 'BAHT' | 'LAK' | 'COIN';
  /** Minor units, or coins, a member. */
  amount: bigint;
  members: readonly bigint[];
  /** Whether actions like this add up over all members, not only for each. */
  isBatch: boolean;
}

/** Locks the decisions about this operator's actions until the transaction ends. */
export async function lockSmallActions(tx: PoolClient, operatorId: bigint): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('action alone ' || $1::bigint, 0))", [
    operatorId,
  ]);
}

interface SmallActionSums {
  /** This very act is noted, for as much. */
  isRecorded: boolean;
  /** The most that was done to one of the action's members. */
  member: bigint;
  /** What was done by batches. */
  batches: bigint;
}

/** What an operator has done alone since a moment, of the same unit and direction. */
export async function sumSmallActions(
  tx: PoolClient,
  action: SmallAction,
  since: Date,
): Promise<SmallActionSums> {
  const { rows } = await tx.query(
    `with past as (
       select a.member_id, a.is_batch, a.amount from small_action a
       where a.operator_id = $1 and a.at > $2 and a.unit = $3 and a.direction = $4)
     select (select count(*) = $7 from small_action a where a.operator_id = $1 and a.reference = $5 and a.member_id = any($6)) as "isRecorded",
       (select coalesce(max(m.done), 0)::bigint from (select sum(p.amount) as done from past p where p.member_id = any($6) group by p.member_id) m) as member,
       (select coalesce(sum(p.amount), 0)::bigint from past p where p.is_batch) as batches`,
    [
      action.operatorId,
      since,
      action.unit,
      action.direction,
      action.reference,
      action.members,
      action.members.length,
    ],
  );
  return rows[0]!;
}

/** Notes what is done alone; what is noted under its reference stays. */
export async function insertSmallAction(tx: PoolClient, action: SmallAction, now: Date): Promise<void> {
  await tx.query(
    `insert into small_action (operator_id, reference, member_id, is_batch, direction, unit, amount, at)
     select $1, $2, m, $4, $5, $6, $7, $8 from unnest($3::bigint[]) m on conflict do nothing`,
    [
      action.operatorId,
      action.reference,
      action.members,
      action.isBatch,
      action.direction,
      action.unit,
      action.amount,
      now,
    ],
  );
}
