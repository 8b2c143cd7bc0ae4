import type { Currency } from '@krapao/contract/shared';
import type { Span } from '../../outside/index.ts';
import type { Pool } from '../../platform/database/db.ts';

/** An account of ours outside, as operators have entered it. */
export interface OwnAccountRow {
  bank_code: string;
  account_no: string;
  currency: Currency;
  /** Members pay QRs into it. */
  has_qr: boolean;
  /** The first account of its bank in its currency: what operators record manually is assumed to be of this one. */
  is_first: boolean;
  /** Since when its statement has been read; null when it is not. */
  watched_since: Date | null;
}

/** Our bank accounts, each once, in the order operators keep them. */
export async function listOwnAccounts(pool: Pool): Promise<OwnAccountRow[]> {
  const sql = `select d.bank_code, d.account_no, d.currency, bool_or(d.mode = 'QR') as has_qr, min(f.started_at) as watched_since,
      row_number() over (partition by d.bank_code, d.currency order by min(d.position), min(d.id)) = 1 as is_first
    from deposit_account d left join bank_feed f on f.deposit_account_id = d.id
    where d.bank_type = 'BANK' group by d.bank_code, d.account_no, d.currency order by min(d.position)`;
  return (await pool.query(sql)).rows;
}

export interface GameSourceRow {
  slot_code: string;
  name: string;
  currency: Currency;
}

/** Games with at least one account, by currency. */
export async function listGameSources(pool: Pool, currencies: readonly Currency[]): Promise<GameSourceRow[]> {
  const sql = `select s.code as slot_code, s.name, c.currency /* as member.currency */ from slot s cross join unnest($1::text[]) c(currency)
    where exists (select 1 from game_account g join member m on m.id = g.member_id where g.slot_code = s.code and g.state = 'ACTIVE' and m.currency = c.currency)
    order by s.category, s.position, 3`;
  return (await pool.query(sql, [currencies])).rows;
}

/** Whether a gift was ever tried to be taken. */
export async function hasGifts(pool: Pool): Promise<boolean> {
  return (await pool.query('select 1 from gift_redemption limit 1')).rows.length > 0;
}

/** When our books began: before that there is nothing to compare. Null while they are empty. */
export async function readBeginning(pool: Pool): Promise<Date | null> {
  const sql = 'select created_at from ledger_entry order by id limit 1';
  return (await pool.query(sql)).rows[0]?.created_at ?? null;
}

export interface OurRowRow {
  subject: string;
  refs: string[];
  direction: 'IN' | 'OUT';
  amount: bigint;
  since: Date;
  until: Date;
  member_id: bigint | null;
  account: string | null;
  is_open: boolean;
}

const LINE = `coalesce('deposit:' || d.id, 'report:' || r.payment_report_id, 'unmatched:' || l.id) as subject,
  array(select distinct r from (select l.bank_reference union all select s.bank_reference from transfer_evidence s where s.bank_transaction_id = l.id) x(r)) as refs,
  'IN' as direction, l.amount, l.paid_at as since, l.paid_at as until, coalesce(d.member_id, l.likely_member_id) as member_id,
  nullif(l.payer_mask, '') as account, false as is_open
  from bank_transaction l left join deposit d on d.bank_code = l.bank_code and d.bank_reference = l.bank_reference and d.reversal_id is null
  left join reported_transfer r on r.bank_transaction_id = l.id`;

/** All money received by one of our accounts in the span, by the bank's time. */
export async function listIncoming(
  pool: Pool,
  account: { bankCode: string; accountNo: string; currency: Currency; ownsUnnamed: boolean },
  { from, to }: Span,
): Promise<OurRowRow[]> {
  const sql = `select ${LINE}
    where l.bank_code = $1 and l.currency = $3 and (l.account_no = $2 or (l.account_no is null and $4)) and l.paid_at >= $5 and l.paid_at < $6
    order by l.paid_at, l.id` as const;
  const { bankCode, accountNo, currency, ownsUnnamed } = account;
  return (await pool.query(sql, [bankCode, accountNo, currency, ownsUnnamed, from, to])).rows;
}

/** The same by the banks' references, whenever it was; tellings an operator has yet to decide are open. */
export async function findIncoming(
  pool: Pool,
  bankCode: string,
  references: readonly string[],
): Promise<OurRowRow[]> {
  const sql = `select ${LINE} where l.bank_code = $1 and (l.bank_reference = any($2)
      or l.id in (select s.bank_transaction_id from transfer_evidence s where s.bank_code = $1 and s.bank_reference = any($2)))
    union all select 'doubt:' || s.id, array[s.bank_reference], 'IN', s.amount, s.paid_at, s.paid_at, null, s.payer_mask, true
    from transfer_evidence s where s.bank_code = $1 and s.bank_reference = any($2) and s.state = 'ASK'` as const;
  return (await pool.query(sql, [bankCode, references])).rows;
}

const PAYOUT = `'withdrawal:' || w.id as subject, array[w.id] as refs, 'OUT' as direction, w.amount, o.sent_at as since,
  greatest(w.updated_at, o.sent_at) as until, w.member_id, null::text as account, o.state <> 'PAID' as is_open
  from payout o join withdrawal w on w.id = o.withdrawal_id join member m on m.id = w.member_id`;

/** A payout is sent at most so long before its end is learnt. */
const PAYOUT_DAYS = 7;

/** What the bank paid out for us, by when we learnt of it. */
export async function listPayouts(pool: Pool, currency: Currency, { from, to }: Span): Promise<OurRowRow[]> {
  const sql =
    `select ${PAYOUT} where o.sent_at >= $2::timestamptz - interval '${PAYOUT_DAYS} days' and o.sent_at < $3
      and o.state = 'PAID' and w.proof is null and m.currency = $1 and w.updated_at >= $2 and w.updated_at < $3 order by w.id` as const;
  return (await pool.query(sql, [currency, from, to])).rows;
}

/** Payouts by our reference, whenever they were; those whose end we have not learnt are open. */
export async function findPayouts(pool: Pool, ids: readonly string[]): Promise<OurRowRow[]> {
  return (await pool.query(`select ${PAYOUT} where w.id = any($1)`, [ids])).rows;
}

/**
 * What operators recorded manually of a bank, by time: withdrawals paid, transactions sent back, payouts returned
 * without a statement line. The bank moved the money on that day or the one before.
 */
export async function listManual(
  pool: Pool,
  { bankCode, currency, payoutBank }: { bankCode: string; currency: Currency; payoutBank: string },
  { from, to }: Span,
): Promise<OurRowRow[]> {
  const sql = `select a.subject, array_remove(array[w.id, w.proof], null) as refs, 'OUT' as direction, w.amount, a.at - interval '1 day' as since, a.at as until,
      w.member_id, null::text as account, false as is_open
    from audit a join withdrawal w on a.subject = 'withdrawal:' || w.id join member m on m.id = w.member_id
    where a.action = 'withdrawal.paid' and a.at >= $3 and a.at < $4 and w.status = 'SUCCESS' and w.proof is not null and m.currency = $2 and a.after->>'bank' = $1
    union all
    select a.subject, array_remove(array[a.after->>'proof'], null), 'OUT', l.amount, a.at - interval '1 day', a.at, null, null, false
    from audit a join bank_transaction l on a.subject = 'unmatched:' || l.id
    where a.action = 'unmatched.return' and a.at >= $3 and a.at < $4 and l.state = 'RETURNED' and l.bank_code = $1 and l.currency = $2
    union all
    select 'withdrawal:' || p.withdrawal_id, array[p.proof], 'IN', p.amount, p.created_at - interval '1 day', p.created_at, p.member_id, null, false
    from payout_return p join member m on m.id = p.member_id
    join audit a on a.subject = 'withdrawal:' || p.withdrawal_id and a.action in ('withdrawal.paid', 'withdrawal.success')
    where p.bank_transaction_id is null and p.created_at >= $3 and p.created_at < $4 and m.currency = $2 and coalesce(a.after->>'bank', $5) = $1`;
  return (await pool.query(sql, [bankCode, currency, from, to, payoutBank])).rows;
}

/** Gifts our wallet took, by when we learnt of it. */
export async function listGifts(pool: Pool, { from, to }: Span): Promise<OurRowRow[]> {
  const sql = `select 'deposit:' || g.id as subject, array[g.code] as refs, 'IN' as direction, g.amount /* never null */, g.created_at as since, d.created_at as until,
      g.member_id, null::text as account, false as is_open
    from gift_redemption g join deposit d on d.id = g.id
    where g.state = 'DONE' and d.created_at >= $1 and d.created_at < $2 order by g.id`;
  return (await pool.query(sql, [from, to])).rows;
}

/** Gifts by voucher code, whenever they were; those without an end are open. */
export async function findGifts(pool: Pool, codes: readonly string[]): Promise<OurRowRow[]> {
  const sql = `select 'deposit:' || g.id as subject, array[g.code] as refs, 'IN' as direction, coalesce(g.amount, g.expected) as amount, g.created_at as since,
      coalesce(d.created_at, g.created_at) as until, g.member_id, null::text as account, g.state <> 'DONE' as is_open
    from gift_redemption g left join deposit d on d.id = g.id where g.code = any($1) and g.state <> 'FAILED'`;
  return (await pool.query(sql, [codes])).rows;
}

export interface GameRow {
  member_id: bigint;
  username: string;
  rate_micro: bigint;
  credits: bigint;
  outstanding: bigint;
  /** When `credits` was last read from the game; transfers since then are counted in. */
  asked_at: Date;
  /** The balance of the game's ledger account, and its version. */
  booked: bigint;
  booked_version: bigint;
  /** Transfers that ended since: each may have left part of a minor unit to rounding. */
  moved: number;
  /** A transfer is on its way. */
  is_moving: boolean;
}

const GAME = `g.member_id, g.username, g.rate_micro, g.credits, g.outstanding, coalesce(g.asked_at, g.created_at) as asked_at, a.balance as booked, a.version as booked_version,
  (select count(*)::int from provider_transfer t where t.member_id = g.member_id and t.slot_code = g.slot_code and t.state = 'DONE'
    and case when g.asked_turn is null then t.touched_at >= coalesce(g.asked_at, g.created_at) else t.ended_turn > g.asked_turn end) as moved,
  exists (select 1 from provider_transfer t where t.member_id = g.member_id and t.slot_code = g.slot_code and t.state in ('RESERVED', 'UNKNOWN')) as is_moving
  from game_account g join ledger_account a on a.id = g.mirror_account join member m on m.id = g.member_id`;

/** Accounts in a game that were open at a time, with our figures of them, after a member's number. */
export async function listGameAccounts(
  pool: Pool,
  game: { slotCode: string; currency: Currency; before: Date },
  after: bigint,
  limit: number,
): Promise<GameRow[]> {
  const sql =
    `select ${GAME} where g.slot_code = $1 and m.currency = $2 and g.state = 'ACTIVE' and g.created_at < $3 and g.member_id > $4
    order by g.member_id limit $5` as const;
  return (await pool.query(sql, [game.slotCode, game.currency, game.before, after, limit])).rows;
}

export async function findGameAccount(
  pool: Pool,
  slotCode: string,
  memberId: bigint,
): Promise<GameRow | undefined> {
  const sql = `select ${GAME} where g.slot_code = $1 and g.member_id = $2` as const;
  return (await pool.query(sql, [slotCode, memberId])).rows[0];
}
