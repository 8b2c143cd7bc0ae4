import type { Currency } from '@krapao/contract/shared';
import { type Db, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import { keysetSql, keysetValues, type Slice, textKey, timeKey } from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';
import { type SearchText, searchedMembers } from '../../platform/member-search.ts';
import type { TransferRow } from './queries.ts';

export interface OperatorTransferRow {
  id: string;
  member_id: bigint;
  member_name: string;
  slot_code: string;
  slot_name: string;
  direction: 'IN' | 'OUT';
  amount: bigint;
  currency: Currency;
  credits: bigint;
  state: TransferRow['state'];
  asked: number;
  created_at: Date;
  approval: string | null;
}

export interface TransferFilter extends SearchText {
  state: Choices;
  game: Choices;
  memberId: bigint | null;
  from: Date | null;
  to: Date | null;
}

const FROM = 'provider_transfer t join member m on m.id = t.member_id';
const WHERE =
  `($1::text[] is null or t.state = any($1)) and ($2::text[] is null or t.slot_code = any($2)) and t.state <> all($7::text[]) and t.slot_code <> all($8::text[]) and ($3::bigint is null or t.member_id = $3)
  and ($4::timestamptz is null or t.created_at >= $4) and ($5::timestamptz is null or t.created_at < $5)
  and ($6::text is null or t.id = upper($6) or t.member_id = any(${searchedMembers('$6', '$9')}))` as const;

const ORDERS = { createdAt: timeKey('t.created_at') } as const;
/** What the list is ordered by. */
export const TRANSFER_KEYS = { orders: ORDERS, id: textKey('t.id') };

const valuesOf = (filter: TransferFilter) =>
  [
    filter.state.only,
    filter.game.only,
    filter.memberId,
    filter.from,
    filter.to,
    filter.text,
    filter.state.not,
    filter.game.not,
    filter.phone,
  ] as const;

/** A page of transfers by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listForOperators(
  db: Reads,
  filter: TransferFilter,
  slice: Slice,
  counted: number | null,
): Promise<{
  rows: (OperatorTransferRow & { cursor_value: string })[];
  sums: { currency: Currency; count: number; amount: bigint }[];
}> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select t.id, t.member_id, m.name as member_name, t.slot_code, t.direction, t.amount, m.currency, t.credits,
         (select s.name from slot s where s.code = t.slot_code) as slot_name /* never null */, t.state, t.asked, t.created_at,
         (select p.id from approval p where p.subject = 'transfer:' || t.id and p.state = 'PENDING' limit 1) as approval`,
      from: `${FROM} where ${WHERE}`,
      ...TRANSFER_KEYS,
      parameters: ['$10', '$11', '$12'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(amount)::bigint as amount
       from (select m.currency, t.amount from ${FROM} where ${WHERE} limit $10) found group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportForOperators = (filter: TransferFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select t.id, t.member_id, m.name, t.slot_code, t.direction, ${moneySql('t.amount', 'm.currency')} as amount, m.currency, t.state,
      ${timeSql('t.created_at')} as created_at
    from ${FROM} where ${WHERE} order by ${orderBy(ORDERS, sort, 't.id')}`),
    valuesOf(filter),
    'id',
  );

/** Transfers whose outcome a provider owes us, since when. */
export async function countUnknown(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const result = await db.query(
    "select count(*)::int as count, min(created_at) as oldest from provider_transfer where state = 'UNKNOWN'",
  );
  return result.rows[0]!;
}

/** A member as readings are booked for them. */
export async function findHolder(
  db: Db,
  id: bigint,
): Promise<{ id: bigint; currency: Currency } | undefined> {
  const sql = 'select id, currency from member where id = $1';
  return (await db.query(sql, [id])).rows[0];
}

export interface MemberGameRow {
  code: string;
  name: string;
  username: string;
  credits: bigint;
  worth: bigint;
  asked_at: Date | null;
}

/** A member's games with what each is worth in their wallet's currency, as last known. */
export async function listMemberGames(db: Db, memberId: bigint): Promise<MemberGameRow[]> {
  const result = await db.query(
    `select s.code, s.name, g.username, g.credits, a.balance as worth, g.asked_at
     from game_account g join slot s on s.code = g.slot_code join ledger_account a on a.id = g.mirror_account
     where g.member_id = $1 and g.state = 'ACTIVE' order by s.position`,
    [memberId],
  );
  return result.rows;
}
