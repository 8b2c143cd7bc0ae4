import type { Currency } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  numberKey,
  type Slice,
  textKey,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';
import type { SearchText } from '../../platform/member-search.ts';

export interface DepositRow {
  id: string;
  member_id: bigint;
  member_name: string;
  channel: string;
  bank_code: string;
  bank_reference: string;
  amount: bigint;
  currency: Currency;
  from_other_account: boolean;
  created_at: Date;
  /** When it was taken back. */
  reversed_at: Date | null;
  approval: string | null;
  /** The label of the active bonus run it backs. */
  run: string | null;
}

export interface DepositFilter extends SearchText {
  channel: Choices;
  bank: Choices;
  memberId: bigint | null;
  otherAccount: boolean | null;
  amountMin: number | null;
  amountMax: number | null;
  from: Date | null;
  to: Date | null;
}

/** The label of the active bonus run that a deposit `d` backs. */
const RUN = `(select b.label from bonus_run b where b.deposit_id = d.id and b.state = 'ACTIVE') as run`;
const FROM = 'deposit d join member m on m.id = d.member_id';
const WHERE = `($1::text[] is null or d.channel = any($1)) and ($2::text[] is null or d.bank_code = any($2)) and d.channel <> all($10::text[]) and d.bank_code <> all($11::text[]) and ($3::bigint is null or d.member_id = $3)
  and ($4::boolean is null or d.from_stranger = $4)
  and ($5::float8 is null or d.amount >= $5 * case m.currency when 'BAHT' then 100 else 1 end)
  and ($6::float8 is null or d.amount <= $6 * case m.currency when 'BAHT' then 100 else 1 end)
  and ($7::timestamptz is null or d.created_at >= $7) and ($8::timestamptz is null or d.created_at < $8)
  and ($9::text is null or d.id = upper($9) or d.bank_reference = $9 or d.qr_id = upper($9) or d.member_id::text = $9 or m.phone = $12 or position(lower($9) in lower(m.name)) > 0)`;

const ORDERS = { createdAt: timeKey('d.created_at'), amount: numberKey('d.amount') } as const;
/** What the list is ordered by. */
export const DEPOSIT_KEYS = { orders: ORDERS, id: textKey('d.id') };

export interface DepositSum {
  currency: Currency;
  count: number;
  amount: bigint;
}

const valuesOf = (filter: DepositFilter) =>
  [
    filter.channel.only,
    filter.bank.only,
    filter.memberId,
    filter.otherAccount,
    filter.amountMin,
    filter.amountMax,
    filter.from,
    filter.to,
    filter.text,
    filter.channel.not,
    filter.bank.not,
    filter.phone,
  ] as const;

/** A page of deposits by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listDeposits(
  db: Reads,
  filter: DepositFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: (DepositRow & { cursor_value: string })[]; sums: DepositSum[] }> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select d.id, d.member_id, m.name as member_name, d.channel, d.bank_code, d.bank_reference, d.amount, m.currency, d.from_stranger as from_other_account, d.created_at,
         (select r.created_at from reversal r where r.id = d.reversal_id) as reversed_at,
         (select p.id from approval p where p.subject = 'deposit:' || d.id and p.state = 'PENDING' limit 1) as approval, ${RUN}`,
      from: `${FROM} where ${WHERE}`,
      ...DEPOSIT_KEYS,
      parameters: ['$13', '$14', '$15'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select m.currency, d.amount from ${FROM} where ${WHERE} limit $13) found group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportDeposits = (filter: DepositFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select d.id, d.member_id, m.name, d.channel, d.bank_code, d.bank_reference, ${moneySql('d.amount', 'm.currency')} as amount, m.currency,
      d.from_stranger, ${timeSql('d.created_at')} as created_at, d.reversal_id
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 'd.id')}`),
    valuesOf(filter),
    'id',
  );

export interface CreditedRow {
  id: string;
  member_id: bigint;
  member_name: string;
  bank_code: string;
  bank_reference: string;
  amount: bigint;
  currency: Currency;
  wallet_account: bigint;
  /** The member's present wallet balance. */
  wallet: bigint;
  reversal_id: string | null;
  /** The label of the active bonus run it backs. */
  run: string | null;
}

/** One deposit with its member's wallet. */
export async function findCredited(db: Db, id: string): Promise<CreditedRow | undefined> {
  const result = await db.query(
    `select d.id, d.member_id, m.name as member_name, d.bank_code, d.bank_reference, d.amount, m.currency, m.wallet_account, a.balance as wallet, d.reversal_id, ${RUN}
     from ${FROM} join ledger_account a on a.id = m.wallet_account where d.id = $1`,
    [id],
  );
  return result.rows[0];
}

/** Money received since a moment and not reversed, by currency. */
export async function sumDeposited(db: Db, since: Date): Promise<DepositSum[]> {
  const result = await db.query(
    `select m.currency, count(*)::int as count, sum(d.amount)::bigint as amount from ${FROM} where d.created_at >= $1 and d.reversal_id is null group by 1`,
    [since],
  );
  return result.rows;
}
