import type { Currency, InviteBarReason, InviteShareState } from '@krapao/contract/shared';
import { type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { keysetSql, keysetValues, type Listed, numberKey, type Slice } from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';

export interface InviteFilter {
  inviterId: bigint | null;
  states: readonly string[] | null;
}

/** An invited member with one credit of theirs, or none; amounts in minor units. */
export interface ListedInvite {
  id: bigint;
  name: string;
  created_at: Date;
  inviter_id: bigint;
  inviter_name: string;
  currency: Currency;
  credit_id: bigint | null;
  state: InviteShareState | null;
  reason: InviteBarReason | null;
  deposit_id: string | null;
  deposited: bigint | null;
  amount: bigint | null;
  staked: bigint | null;
  needed: bigint | null;
  run_id: string | null;
  received_at: Date | null;
  reversed_at: Date | null;
}

const FROM =
  'member m join member i on i.id = m.inviter_id left join invite_credit c on c.invitee_id = m.id and c.inviter_id = i.id';
const WHERE = `m.inviter_id is not null and ($1::bigint is null or m.inviter_id = $1)
  and ($2::text[] is null or coalesce(c.state, 'JOINED') = any($2))`;
const valuesOf = ({ inviterId, states }: InviteFilter) => [inviterId, states] as const;

/** What the list is ordered by: the invited member, then their credit. */
export const INVITE_KEYS = { orders: { member: numberKey('m.id') }, id: numberKey('coalesce(c.id, 0)') };

/**
 * A page of invited members by filter, and count and sum of those that fit it, of `counted` at the most; one whose
 * deposit was taken back is listed again for the next.
 */
export async function listInvitesOfAll(
  pool: Reads,
  filter: InviteFilter,
  slice: Slice,
  counted: number | null,
): Promise<{
  rows: (Listed<ListedInvite> & { cursor_id: bigint })[];
  sums: { currency: Currency; count: number; amount: bigint }[];
}> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select coalesce(c.id, 0) as cursor_id, m.id, m.name, m.created_at, i.id as inviter_id, i.name as inviter_name, i.currency, c.id as credit_id, c.state, c.reason,
         c.deposit_id, c.deposited, c.amount, c.staked, c.needed, c.run_id, c.received_at, c.reversed_at`,
      from: `${FROM} where ${WHERE}`,
      ...INVITE_KEYS,
      parameters: ['$3', '$4', '$5'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    pool.query(page, [...values, ...keysetValues(slice)]),
    pool.query(
      `select currency, count(*)::int as count,
         coalesce(sum(amount) filter (where state in ('ACCRUED', 'READY', 'RECEIVED')), 0)::bigint as amount
       from (select i.currency, c.amount, c.state from ${FROM} where ${WHERE} limit $3) found group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportInvitesOf = (filter: InviteFilter): ExportSource =>
  pageSource(
    sql(`select m.id || ':' || coalesce(c.id::text, '') as page_key, i.id as inviter_id, i.name as inviter, m.id as member_id, m.name as member, ${timeSql('m.created_at')} as joined_at,
      coalesce(c.state, 'JOINED') as state, c.reason, i.currency, c.deposit_id, ${moneySql('c.deposited', 'i.currency')} as deposited,
      ${moneySql('c.amount', 'i.currency')} as amount, ${moneySql('c.staked', 'i.currency')} as staked,
      ${moneySql('c.needed', 'i.currency')} as needed, c.run_id, ${timeSql('c.received_at')} as received_at,
      ${timeSql('c.reversed_at')} as reversed_at
    from ${FROM} where ${WHERE} order by m.id desc, c.id desc`),
    valuesOf(filter),
    'page_key',
  );
