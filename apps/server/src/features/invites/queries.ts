import type { Currency, InviteShareState } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

export interface InviteRow {
  name: string;
  created_at: Date;
  /** Null: no deposit yet. */
  state: InviteShareState | null;
  amount: bigint | null;
}

/** How many members a member has invited. */
export async function countInvites(db: Db, memberId: bigint): Promise<number> {
  const sql = 'select count(*)::int as count from member where inviter_id = $1';
  return (await db.query(sql, [memberId])).rows[0]!.count;
}

/** One page of the members that a member has invited, newest first, each with the share of their first deposit. */
export async function listInvites(
  db: Db,
  memberId: bigint,
  page: { limit: number; offset: number },
): Promise<InviteRow[]> {
  const result = await db.query(
    `select m.name, m.created_at, c.state, c.amount
     from (select id from member where inviter_id = $1 order by id desc limit $2 offset $3) p join member m on m.id = p.id
     left join lateral (select case when state = 'READY' and reversal_requested(deposit_id) then 'ACCRUED' else state end as state, amount
       from invite_credit where invitee_id = m.id order by id desc limit 1) c on true
     order by m.id desc`,
    [memberId, page.limit, page.offset],
  );
  return result.rows;
}

/**
 * What has accrued to a member and was not received, and how much of it can be, which is nothing of a deposit whose
 * reversal is requested; the credits of the latter by id.
 */
export async function readUnpaid(
  db: Db,
  memberId: bigint,
): Promise<{ unpaid: bigint; ready: bigint; credits: bigint[] }> {
  const result = await db.query(
    `select coalesce(sum(amount), 0)::bigint as unpaid, coalesce(sum(amount) filter (where is_ready), 0)::bigint as ready,
       coalesce(array_agg(id order by id) filter (where is_ready), '{}') as credits
     from (select id, amount, state = 'READY' and not reversal_requested(deposit_id) as is_ready
       from invite_credit where inviter_id = $1 and state in ('ACCRUED', 'READY')) c`,
    [memberId],
  );
  return result.rows[0]!;
}

export interface WaitingRow {
  id: bigint;
  invitee_id: bigint;
  currency: Currency;
  needed: bigint;
  staked: bigint;
  created_at: Date;
}

const WAITING =
  'select c.id, c.invitee_id, m.currency, c.needed, c.staked, c.created_at from invite_credit c join member m on m.id = c.invitee_id';

/** Shares of one inviter that wait for bets, least recently checked first. */
export async function listWaitingOf(db: Db, memberId: bigint, limit: number): Promise<WaitingRow[]> {
  const sql =
    `${WAITING} where c.inviter_id = $1 and c.state = 'ACCRUED' order by c.asked_at nulls first, c.id limit $2` as const;
  return (await db.query(sql, [memberId, limit])).rows;
}

/**
 * Shares of all inviters that wait for bets, were not checked since a moment, and whose member's games were read
 * since: an absent member has most likely not played.
 */
export async function listWaiting(db: Db, before: Date, limit: number): Promise<WaitingRow[]> {
  const sql = `${WAITING} where c.state = 'ACCRUED' and (c.asked_at is null or c.asked_at < $1 and exists (
      select 1 from game_account g where g.member_id = c.invitee_id and g.asked_at > c.asked_at))
    order by c.asked_at nulls first limit $2` as const;
  return (await db.query(sql, [before, limit])).rows;
}

/**
 * Records the providers' figure; the highest reported counts, and enough of it makes the share ready. Without `askedAt` it is
 * read again at once.
 */
export async function noteStaked(
  db: Db,
  shareId: bigint,
  staked: bigint,
  askedAt: Date | null,
): Promise<void> {
  await db.query(
    `update invite_credit set staked = greatest(staked, $2), asked_at = $3,
       state = case when greatest(staked, $2) >= needed then 'READY' else 'ACCRUED' end
     where id = $1 and state = 'ACCRUED'`,
    [shareId, staked, askedAt],
  );
}
