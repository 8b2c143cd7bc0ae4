import type { ASSIGNMENT_FILTERS } from '@krapao/contract/operator';
import type { Currency } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, numberKey, type Slice, textKey } from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';
import type { SearchText } from '../../platform/member-search.ts';
import type { DecisionKind } from './decision-queries.ts';
import type { WithdrawalRow } from './queries.ts';

/** A bank account of a member. */
export interface AccountRow {
  bank_code: string;
  bank_name: string;
  bank_name_en: string;
  bank_color: string | null;
  account_no_sealed: Buffer;
  account_name: string;
}

export interface OperatorRow extends AccountRow {
  id: string;
  member_id: bigint;
  member_name: string;
  amount: bigint;
  currency: Currency;
  status: WithdrawalRow['status'];
  automatic: boolean;
  risk_score: number | null;
  reason: string | null;
  proof: string | null;
  created_at: Date;
  updated_at: Date;
  assignment_operator: bigint | null;
  assignment_name: string | null;
  assignment_touched: Date | null;
  approval: string | null;
  held_until: Date | null;
  unplayed: bigint | null;
  returned_at: Date | null;
  retry_of: string | null;
  retried_by: string | null;
  decision: DecisionKind | null;
  decision_actor: string | null;
  decision_operator: bigint | null;
  seconds_left: number | null;
  decided_by: string | null;
}

const COLUMNS = `w.id, w.member_id, m.name as member_name, w.amount, m.currency, w.status, w.automatic, w.reason, w.proof, w.created_at, w.updated_at, w.held_until, w.retry_of, w.risk_score,
  (select u.amount from withdrawal_unplayed u where u.withdrawal_id = w.id) as unplayed,
  (select r.created_at from payout_return r where r.withdrawal_id = w.id) as returned_at, (select n.id from withdrawal n where n.retry_of = w.id) as retried_by,
  a.bank_code, b.name_local as bank_name, b.name_en as bank_name_en, b.color as bank_color, a.account_no_sealed, a.account_name,
  c.operator_id as assignment_operator, o.name as assignment_name, c.touched_at as assignment_touched,
  (select p.id from approval p where p.subject = 'withdrawal:' || w.id and p.state = 'PENDING' limit 1) as approval,
  d.kind as decision, d.actor as decision_actor, d.operator_id as decision_operator,
  greatest(0, extract(epoch from d.effective_at - now()))::float8 as seconds_left,
  (select case when u.action <> 'withdrawal.undo' then u.actor end from audit u where u.subject = 'withdrawal:' || w.id
     and u.action in ('withdrawal.approve', 'withdrawal.reject', 'withdrawal.paid', 'withdrawal.undo')
   order by u.id desc limit 1) as decided_by`;
const FROM = `withdrawal w join member m on m.id = w.member_id join bank_account a on a.id = w.bank_account_id join bank b on b.code = a.bank_code
  left join assignment c on c.subject = 'withdrawal:' || w.id left join operator o on o.id = c.operator_id
  left join withdrawal_decision d on d.withdrawal_id = w.id`;

export interface OperatorFilter extends SearchText {
  status: Choices;
  bank: Choices;
  /** Whose assignments: the operator's, none or another's, counting assignments touched after this; null: everybody's and none. */
  assigned: readonly (typeof ASSIGNMENT_FILTERS)[number][] | null;
  /** Whose assignment, by their name. */
  assignee: string | null;
  operatorId: bigint;
  assignedAfter: Date;
  amountMin: number | null;
  amountMax: number | null;
  memberId: bigint | null;
  from: Date | null;
  to: Date | null;
  /** Range of the risk score, without the range between; one without a score counts as 0. */
  scoreMin: number;
  scoreMax: number;
  withoutScores: { min: number; max: number } | null;
  madeBefore: Date | null;
  /** Half-open times of the payment. */
  paidFrom: Date | null;
  paidTo: Date | null;
}

const WHERE = `($1::text[] is null or w.status = any($1)) and ($2::text[] is null or a.bank_code = any($2)) and w.status <> all($16::text[]) and a.bank_code <> all($17::text[])
  and ($3::text[] is null or 'mine' = any($3) and c.operator_id = $4 and c.touched_at > $5
    or 'others' = any($3) and c.operator_id <> $4 and c.touched_at > $5
    or 'nobody' = any($3) and (c.operator_id is null or c.touched_at <= $5))
  and ($6::float8 is null or w.amount >= $6 * case m.currency when 'BAHT' then 100 else 1 end)
  and ($7::float8 is null or w.amount <= $7 * case m.currency when 'BAHT' then 100 else 1 end)
  and ($8::bigint is null or w.member_id = $8)
  and ($9::timestamptz is null or w.created_at >= $9) and ($10::timestamptz is null or w.created_at < $10)
  and ($11::text is null or w.id = upper($11) or w.member_id::text = $11 or m.phone = $22 or position(lower($11) in lower(m.name)) > 0)
  and ($12::text is null or (o.name = $12 and c.touched_at > $5))
  and coalesce(w.risk_score, 0) between $13 and $14
  and ($18::int is null or coalesce(w.risk_score, 0) not between $18 and $19::int) and ($15::timestamptz is null or w.created_at <= $15)
  and ($20::timestamptz is null or w.status = 'SUCCESS' and w.updated_at >= $20)
  and ($21::timestamptz is null or w.status = 'SUCCESS' and w.updated_at < $21)`;

const values = (filter: OperatorFilter) =>
  [
    filter.status.only,
    filter.bank.only,
    filter.assigned,
    filter.operatorId,
    filter.assignedAfter,
    filter.amountMin,
    filter.amountMax,
    filter.memberId,
    filter.from,
    filter.to,
    filter.text,
    filter.assignee,
    filter.scoreMin,
    filter.scoreMax,
    filter.madeBefore,
    filter.status.not,
    filter.bank.not,
    filter.withoutScores?.min ?? null,
    filter.withoutScores?.max ?? null,
    filter.paidFrom,
    filter.paidTo,
    filter.phone,
  ] as const;

// Ids sort by time of making.
const ID = textKey('w.id');
const ORDERS = {
  createdAt: ID,
  amount: numberKey('w.amount'),
  risk: numberKey('coalesce(w.risk_score, 0)'),
} as const;
/** What the list is ordered by. */
export const WITHDRAWAL_KEYS = { orders: ORDERS, id: ID };

export interface Sum {
  currency: Currency;
  count: number;
  amount: bigint;
}

/** A page of withdrawals by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listForOperators(
  db: Reads,
  filter: OperatorFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: (OperatorRow & { cursor_value: string })[]; sums: Sum[] }> {
  const page = keysetSql(
    {
      select: `select ${COLUMNS}`,
      from: `${FROM} where ${WHERE}`,
      ...WITHDRAWAL_KEYS,
      parameters: ['$23', '$24', '$25'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values(filter), ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select m.currency, w.amount from ${FROM} where ${WHERE} limit $23) found group by 1 order by 1`,
      [...values(filter), counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportForOperators = (filter: OperatorFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select w.id, w.member_id, m.name, ${moneySql('w.amount', 'm.currency')} as amount, m.currency, a.bank_code, a.account_name, w.status, w.automatic, w.risk_score,
      w.reason, w.proof, ${timeSql('w.created_at')} as created_at, ${timeSql('w.updated_at')} as updated_at
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 'w.id')}`),
    values(filter),
    'id',
  );

/** Id of the other withdrawal that was booked as paid with a proof, without regard to spaces and case. */
export async function findByProof(db: Db, proof: string, but: string): Promise<string | null> {
  return (await db.query('select withdrawal_with_proof($1, $2) as id', [proof, but])).rows[0]!.id;
}

export async function findForOperators(db: Db, id: string): Promise<OperatorRow | undefined> {
  return (await db.query(`select ${COLUMNS} from ${FROM} where w.id = $1`, [id])).rows[0];
}

/** Locks a withdrawal for an action and answers its state and amount, and its member's state. */
export async function lockWithdrawal(
  db: Db,
  id: string,
): Promise<
  | Pick<
      WithdrawalRow,
      'id' | 'member_id' | 'member_status' | 'amount' | 'status' | 'currency' | 'risk_score'
    >
  | undefined
> {
  const result = await db.query(
    `select w.id, w.member_id, m.status as member_status, w.amount, w.status, w.risk_score, m.currency from withdrawal w join member m on m.id = w.member_id
     where w.id = $1 for update of w`,
    [id],
  );
  return result.rows[0];
}

export interface MoneyStory {
  member_since: Date;
  paid_before: number;
  deposited: bigint;
  game_result: bigint;
  wallet: bigint;
}

/** The source of a withdrawal's money: what happened since the member's last paid one before it. */
export async function readMoneyStory(db: Db, row: OperatorRow): Promise<MoneyStory> {
  const result = await db.query(
    `with since as (
       select coalesce(max(w.created_at), '-infinity') as at, count(*)::int as paid from withdrawal w
       where w.member_id = $1 and w.status = 'SUCCESS' and w.created_at < $2
     )
     select m.created_at as member_since, since.paid as paid_before, a.balance as wallet,
       coalesce((select sum(d.amount) from deposit d where d.member_id = $1 and d.reversal_id is null and d.created_at >= since.at and d.created_at < $2), 0)::bigint as deposited,
       coalesce((select sum(p.amount) from ledger_account g join ledger_posting p on p.account_id = g.id join ledger_entry e on e.id = p.entry_id
         where g.member_id = $1 and g.kind = 'mirror' and e.kind = 'game_result' and e.created_at >= since.at and e.created_at < $2), 0)::bigint as game_result
     from member m join ledger_account a on a.id = m.wallet_account, since where m.id = $1`,
    [row.member_id, row.created_at],
  );
  return result.rows[0]!;
}

export interface RecentRow {
  id: string;
  amount: bigint;
  status: WithdrawalRow['status'];
  created_at: Date;
  risk_score: number | null;
}

/** The five newest withdrawals of a member but one. */
export async function listRecent(db: Db, { id, member_id }: OperatorRow): Promise<RecentRow[]> {
  const result = await db.query(
    `select id, amount, status, created_at, risk_score from withdrawal where member_id = $1 and id <> $2
     order by created_at desc limit 5`,
    [member_id, id],
  );
  return result.rows;
}

export interface PayoutStory {
  state: string;
  asked: number;
  sent_at: Date;
  reason: string | null;
}

export async function readPayoutStory(db: Db, id: string): Promise<PayoutStory | null> {
  const sql = 'select state, asked, sent_at, reason from payout where withdrawal_id = $1';
  return (await db.query(sql, [id])).rows[0] ?? null;
}

/** The account a member is paid to now. */
export async function findPaidTo(
  db: Db,
  memberId: bigint,
): Promise<(AccountRow & { id: bigint }) | undefined> {
  const result = await db.query(
    `select a.id, a.bank_code, b.name_local as bank_name, b.name_en as bank_name_en, b.color as bank_color, a.account_no_sealed, a.account_name
     from bank_account a join bank b on b.code = a.bank_code where a.member_id = $1 and a.status = 'ACTIVE'`,
    [memberId],
  );
  return result.rows[0];
}

/** Banks with an account of a member. */
export async function listPaidBanks(
  db: Reads,
): Promise<{ code: string; name_local: string; name_en: string }[]> {
  const result = await db.query(
    `select b.code, b.name_local, b.name_en from bank b
     where exists (select 1 from bank_account a where a.bank_code = b.code) order by b.code`,
  );
  return result.rows;
}

/** Active operators who may decide withdrawals. */
export async function listDeciders(db: Db): Promise<{ id: bigint; name: string }[]> {
  const result = await db.query(
    `select o.id, o.name from operator o join operator_role r on r.code = o.role
     where o.status = 'ACTIVE' and 'withdrawal.decide' = any(r.permissions) order by o.name limit 500`,
  );
  return result.rows;
}

export async function bankExists(db: Db, code: string): Promise<boolean> {
  return (await db.query('select 1 from bank where code = $1', [code])).rows.length > 0;
}

/** What waits for an operator, since when; and what was paid since a moment, for the day at a glance. */
export async function countWaiting(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    "select count(*)::int as count, min(created_at) as oldest from withdrawal where status = 'REVIEW'",
  );
  return result.rows[0]!;
}

export async function sumPaid(db: Db, since: Date): Promise<Sum[]> {
  const result = await db.query(
    `select m.currency, count(*)::int as count, sum(w.amount)::bigint as amount from withdrawal w join member m on m.id = w.member_id
     where w.status = 'SUCCESS' and w.updated_at >= $1 and not exists (select 1 from payout_return r where r.withdrawal_id = w.id) group by 1`,
    [since],
  );
  return result.rows;
}
