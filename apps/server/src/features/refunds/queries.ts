import type { Db } from '../../platform/database/db.ts';

/** The period under way; amounts in minor units. */
export interface FiguresRow {
  /** The last period that was closed; 0: none. */
  number: number;
  from_at: Date;
  opening: bigint;
  /** Sums since registration, by which a change is noticed. */
  paid_in: bigint;
  paid_out: bigint;
  deposits: bigint;
  withdrawals: bigint;
  balance: bigint;
  loss: bigint;
  /** Received and not yet added to the wallet. */
  refund_balance: bigint;
  /** A bet, transfer or withdrawal is open. */
  is_open: boolean;
  has_run: boolean;
  /** How many refunds were received since the day began. */
  today: number;
}

/** A member's result, by the last reading of the games. */
export async function readFigures(db: Db, memberId: bigint, day: Date): Promise<FiguresRow> {
  const result = await db.query(
    `select f.*, bonus_remains($1, null) as is_open,
       exists (select 1 from bonus_run b where b.member_id = $1 and b.state = 'ACTIVE') as has_run,
       coalesce((select a.balance from ledger_account a where a.member_id = $1 and a.kind = 'refund_purse'), 0)::bigint as refund_balance,
       (select count(*)::int from refund_period p where p.member_id = $1 and p.to_at >= $2) as today
     from refund_figures($1) f`,
    [memberId, day],
  );
  return result.rows[0]!;
}

/** Reads the account of a member's refund balance; undefined before their first refund. */
export async function readRefundBalance(
  db: Db,
  memberId: bigint,
): Promise<{ id: bigint; balance: bigint } | undefined> {
  const result = await db.query(
    "select id, balance from ledger_account where member_id = $1 and kind = 'refund_purse'",
    [memberId],
  );
  return result.rows[0];
}

/** Postings that are added up at a time. */
const STEP = 20_000;

/**
 * Adds what was posted on a member's wallet since the last time to their sums, a step of it; returns whether that was
 * all. Two at once come to the same sums.
 */
export async function addUp(db: Db, memberId: bigint): Promise<boolean> {
  const result = await db.query(
    `with wallet as (select m.wallet_account as id, coalesce(s.entry_id, 0) as after, coalesce(s.postings, 0) as postings,
         coalesce(s.paid_in, 0) as paid_in, coalesce(s.paid_out, 0) as paid_out
       from member m left join refund_sum s on s.member_id = m.id where m.id = $1),
     bound as (select w.*, coalesce(
         (select p.entry_id from ledger_posting p where p.account_id = w.id and p.entry_id > w.after order by p.entry_id offset $2 limit 1),
         (select max(p.entry_id) from ledger_posting p where p.account_id = w.id and p.entry_id > w.after)) as upto from wallet w),
     added as (select b.*, f.postings as more, f.paid_in as ins, f.paid_out as outs
       from bound b, lateral refund_flows(b.id, b.after, b.upto) f where b.upto is not null)
     insert into refund_sum (member_id, entry_id, postings, paid_in, paid_out)
     select $1, upto, postings + more, paid_in + ins, paid_out + outs from added
     on conflict (member_id) do update set entry_id = excluded.entry_id, postings = excluded.postings, paid_in = excluded.paid_in,
       paid_out = excluded.paid_out where refund_sum.entry_id < excluded.entry_id
     returning (select more from added) as postings`,
    [memberId, STEP - 1],
  );
  return (result.rows[0]?.postings ?? 0n) < BigInt(STEP);
}

/** The next members by id, with how many postings of theirs have not been added up. */
export async function listBehind(
  db: Db,
  after: bigint,
  limit: number,
): Promise<{ id: bigint; behind: bigint }[]> {
  const result = await db.query(
    `select m.id, a.version - coalesce(s.postings, 0) as behind from member m join ledger_account a on a.id = m.wallet_account
     left join refund_sum s on s.member_id = m.id where m.id > $1 order by m.id limit $2`,
    [after, limit],
  );
  return result.rows;
}

export interface PeriodRow {
  number: number;
  from_at: Date;
  to_at: Date;
  deposits: bigint;
  withdrawals: bigint;
  opening: bigint;
  balance: bigint;
  loss: bigint;
  percent: number;
  amount: bigint;
}

/** One page of a member's periods, newest first; they are numbered without gaps, so the newest number is the count. */
export async function listPeriods(
  db: Db,
  memberId: bigint,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: PeriodRow[]; total: number }> {
  const newest = await db.query(
    'select coalesce(max(number), 0) as total from refund_period where member_id = $1',
    [memberId],
  );
  const { total } = newest.rows[0]!;
  const last = total - (page - 1) * limit;
  if (last <= 0) return { rows: [], total };
  const result = await db.query(
    `select number, from_at, to_at, deposits, withdrawals, opening, balance, loss, percent, amount from refund_period
     where member_id = $1 and number > $2 and number <= $3 order by number desc`,
    [memberId, last - limit, last],
  );
  return { rows: result.rows, total };
}
