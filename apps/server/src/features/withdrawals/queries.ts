import { type Currency, fromMinor, type MemberStatus, type WithdrawalStatus } from '@krapao/contract/shared';
import type { Db, Pool } from '../../platform/database/db.ts';
import { inTransaction } from '../../platform/transaction.ts';

export interface WithdrawalRow {
  id: string;
  member_id: bigint;
  member_status: MemberStatus;
  amount: bigint;
  status: WithdrawalStatus;
  currency: Currency;
  hold_account: bigint;
  wallet_account: bigint;
  bank_code: string;
  account_no_sealed: Buffer;
  account_name: string;
  /** Not paid before this: the account replaced another. */
  held_until: Date | null;
  /** 0 to 100; null when it was never assessed. */
  risk_score: number | null;
  /** What an operator booked it as paid by. */
  proof: string | null;
}

const SELECT = `select w.id, w.member_id, m.status as member_status, w.amount, w.status, w.proof, w.risk_score, m.currency, m.hold_account, m.wallet_account, a.bank_code, a.account_no_sealed, a.account_name, w.held_until
  from withdrawal w join member m on m.id = w.member_id join bank_account a on a.id = w.bank_account_id`;

export async function findWithdrawal(db: Db, id: string): Promise<WithdrawalRow | undefined> {
  return (await db.query(`${SELECT} where w.id = $1`, [id])).rows[0];
}

/** Whether a withdrawal of the member is still open. */
export async function hasOpenWithdrawal(db: Db, memberId: bigint): Promise<boolean> {
  const sql =
    "select 1 from withdrawal where member_id = $1 and status in ('QUEUED', 'REVIEW', 'PROCESSING') limit 1";
  return (await db.query(sql, [memberId])).rows.length > 0;
}

/** What the member has requested since a moment that is paid without a review, minor units. */
export async function sumAutomatic(db: Db, memberId: bigint, since: Date): Promise<bigint> {
  const sql = `select coalesce(sum(amount), 0)::bigint as total from withdrawal
    where member_id = $1 and automatic and status <> 'FAILED' and created_at > $2`;
  return (await db.query(sql, [memberId, since])).rows[0]!.total;
}

/** The amount last paid out to the member, in their currency; null when nothing has been. */
export async function lastPaid(
  db: Db,
  { id, currency }: { id: bigint; currency: Currency },
): Promise<number | null> {
  const sql =
    "select amount from withdrawal where member_id = $1 and status = 'SUCCESS' order by created_at desc limit 1";
  const row = (await db.query(sql, [id])).rows[0];
  return row ? fromMinor(row.amount, currency) : null;
}

/**
 * Takes queued withdrawals of a currency for paying, oldest first: each is taken by one worker, and its payout row says
 * from now on that the bank may have been ordered. One with a request to book it as paid manually is skipped, and so is
 * a suspended member's until they are active again. `more` says that there may be others.
 */
export function takeQueued(
  pool: Pool,
  now: Date,
  limit: number,
  currency: Currency,
): Promise<{ ids: string[]; more: boolean }> {
  return inTransaction(pool, async (tx) => {
    const locked = await tx.query(
      `select w.id from withdrawal w join member m on m.id = w.member_id and m.currency = $3 and m.status = 'ACTIVE'
       where w.status = 'QUEUED' and (w.held_until is null or w.held_until <= $1) and not withdrawal_by_hand_asked(w.id)
         and payouts_are_open()
       order by w.created_at limit $2 for update of w skip locked`,
      [now, limit, currency],
    );
    // Looked at again with the rows in hand: a request or a suspension may have been committed while they were taken.
    const taken = await tx.query(
      `with taken as (
         update withdrawal set status = 'PROCESSING', updated_at = $1
         where id = any($2) and not withdrawal_by_hand_asked(id)
           and exists (select 1 from member m where m.id = withdrawal.member_id and m.status = 'ACTIVE')
           and payouts_are_open()
         returning id
       ), shown as (
         update statement set status = 'PROCESSING', updated_at = $1 where id in (select id from taken)
       )
       insert into payout (withdrawal_id, state, sent_at, touched_at) select id, 'SENT', $1, now() from taken returning withdrawal_id as id`,
      [now, locked.rows.map((row) => row.id)],
    );
    return { ids: taken.rows.map((row) => row.id), more: locked.rows.length === limit };
  });
}

export interface PayoutRow {
  withdrawal_id: string;
  state: 'SENT' | 'UNKNOWN' | 'ACCEPTED' | 'PAID' | 'REJECTED';
  asked: number;
  /** Since the first order. */
  age_seconds: number;
  /** Since the order was last sent, or, once its call is over or it was released, since then. */
  order_age_seconds: number;
  /** The code with which the bank refused the order sent last; null: it was not refused. */
  refused_code: string | null;
}

export async function findPayout(db: Db, id: string): Promise<PayoutRow | undefined> {
  const result = await db.query(
    `select withdrawal_id, state, asked, refused_code, extract(epoch from now() - touched_at)::float8 as age_seconds,
       extract(epoch from now() - coalesce(greatest(ordered_at, watched_since), touched_at))::float8 as order_age_seconds
     from payout where withdrawal_id = $1`,
    [id],
  );
  return result.rows[0];
}

/** Alerts operators to a payout while its outcome is unknown; one that was settled meanwhile opens no alert. */
export async function alertPayoutUnknown(db: Db, id: string, detail: string, now: Date): Promise<boolean> {
  const sql = `select alert_open('payout-unknown', 'withdrawal:' || w.id, $2, $3) as opened
    from (select id from withdrawal where id = $1 and status = 'PROCESSING' for share) w`;
  return (await db.query(sql, [id, detail, now])).rows[0]?.opened === true;
}

/**
 * Claims the first order of a taken payout for sending; its time begins anew. False: not to be sent, because it was
 * sent again meanwhile, its outcome is sought already or booked, or payouts are paused.
 */
export async function takeFirst(db: Db, id: string): Promise<boolean> {
  const result = await db.query(
    `update payout p set touched_at = now() from withdrawal w
     where p.withdrawal_id = $1 and w.id = $1 and w.status = 'PROCESSING' and p.state = 'SENT' and p.ordered_at is null
       and payouts_are_open()`,
    [id],
  );
  return result.rowCount === 1;
}

/**
 * Records that the bank refused the first order. From then on the order is not sent again, so the refusal proves that
 * nothing will be paid. False, and nothing is recorded: it was sent again, or the bank has stated that it accepted it.
 */
export async function noteFirstRefused(db: Db, id: string, refusedCode: string): Promise<boolean> {
  const result = await db.query(
    `update payout set refused_code = $2
     where withdrawal_id = $1 and ordered_at is null and accepted_at is null and state in ('SENT', 'UNKNOWN')`,
    [id, refusedCode],
  );
  return result.rowCount === 1;
}

/**
 * Takes a payout whose order the bank has never seen for sending once more: one worker does, at the earliest
 * `graceSeconds` after the last order's call was over, or must have been by `orderSeconds`, and none once an order was
 * refused or while a request to book it as paid manually is pending. While it is SENT it is not booked manually.
 * Returns when the order was taken, by which `noteOrder` knows it; null: not to be sent.
 */
export function takeAbsent(
  pool: Pool,
  id: string,
  graceSeconds: number,
  orderSeconds: number,
): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select 1 from withdrawal where id = $1 for update', [id]);
    const result = await tx.query(
      `update payout p set state = 'SENT', ordered_at = now() from withdrawal w
       where p.withdrawal_id = $1 and w.id = $1 and w.status = 'PROCESSING' and p.state in ('SENT', 'UNKNOWN', 'ACCEPTED')
         and p.refused_code is null
         and coalesce(p.ordered_at, p.touched_at) <= now() - ($2 + case p.state when 'SENT' then $3 else 0 end) * interval '1 second'
         and not withdrawal_by_hand_asked($1) and payouts_are_open()
       returning p.ordered_at::text as taken_at /* never null */`,
      [id, graceSeconds, orderSeconds],
    );
    return result.rows[0]?.taken_at ?? null;
  });
}

/** The response to an order. `takenAt` is when a repeat was taken for sending, null for the first order. */
interface OrderResponse {
  takenAt: string | null;
  state: 'UNKNOWN' | 'ACCEPTED';
  /** Null unless the bank refused this order. Not recorded of a first order that the bank has accepted before: it proves nothing. */
  refusedCode: string | null;
}

/**
 * Records the response to the order of an open payout that was sent last; a response to an earlier one changes nothing.
 * The end of a payout is recorded by the attached write of its ledger entry.
 */
export async function noteOrder(db: Db, id: string, response: OrderResponse): Promise<void> {
  await db.query(
    `update payout set state = $2, asked = asked + 1, ordered_at = now(),
       refused_code = case when accepted_at is null or $4::text is not null then $3 end,
       accepted_at = case when $2 = 'ACCEPTED' then coalesce(accepted_at, now()) else accepted_at end
     where withdrawal_id = $1 and state in ('SENT', 'UNKNOWN', 'ACCEPTED')
       and ordered_at is not distinct from $4::text::timestamptz`,
    [id, response.state, response.refusedCode, response.takenAt],
  );
}

/** Records the bank's response to a status query; an order younger than `orderSeconds` may still be on its way and stays SENT. */
export async function noteQuestion(
  db: Db,
  id: string,
  state: 'UNKNOWN' | 'ACCEPTED',
  orderSeconds: number,
): Promise<void> {
  await db.query(
    `update payout set asked = asked + 1,
       accepted_at = case when $2 = 'ACCEPTED' then coalesce(accepted_at, now()) else accepted_at end,
       state = case when state = 'SENT' and coalesce(ordered_at, touched_at) > now() - $3 * interval '1 second' then state else $2 end
     where withdrawal_id = $1 and state in ('SENT', 'UNKNOWN', 'ACCEPTED')`,
    [id, state, orderSeconds],
  );
}

/** Counts a question about a payout that has come to its end here. */
export async function countChecked(db: Db, id: string): Promise<void> {
  await db.query('update payout set asked = asked + 1 where withdrawal_id = $1', [id]);
}

/** Payouts that a worker left behind without an outcome. */
export async function listOpenPayouts(db: Db, olderThanSeconds: number): Promise<string[]> {
  const result = await db.query(
    "select withdrawal_id as id from payout where state in ('SENT', 'UNKNOWN', 'ACCEPTED') and touched_at < now() - $1 * interval '1 second' order by touched_at limit 200",
    [olderThanSeconds],
  );
  return result.rows.map((row) => row.id);
}
