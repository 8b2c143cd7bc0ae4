import type { Currency, RunKind, RunState } from '@krapao/contract/shared';
import { type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import { keysetSql, keysetValues, type Listed, type Slice, textKey } from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import type { RunRow } from './queries.ts';

/** A run in the console's list; `standing` only while it is under way. Amounts in minor units. */
export interface ListedRun
  extends Pick<
    RunRow,
    | 'id'
    | 'member_id'
    | 'currency'
    | 'kind'
    | 'label'
    | 'qualifying'
    | 'granted'
    | 'success_percent'
    | 'fail_percent'
    | 'turnover_percent'
    | 'turnover'
    | 'expires_at'
    | 'started_at'
    | 'stuck_since'
  > {
  member_name: string;
  code: string | null;
  bonus_version: number | null;
  deposit_id: string | null;
  state: RunState;
  taken: bigint;
  ended_at: Date | null;
  ended_by: string | null;
  standing: bigint | null;
}

export interface RunFilter {
  memberId: string | null;
  bonus: string | null;
  states: readonly RunState[] | null;
  kinds: readonly RunKind[] | null;
}

const FROM = 'bonus_run r join member m on m.id = r.member_id left join bonus b on b.id = r.bonus_id';
const WHERE = `($1::bigint is null or r.member_id = $1)
  and ($2::text is null or r.bonus_id = (select o.id from bonus o where o.code = $2))
  and ($3::text[] is null or r.state = any($3)) and ($4::text[] is null or r.kind = any($4))`;
const valuesOf = (filter: RunFilter) => [filter.memberId, filter.bonus, filter.states, filter.kinds] as const;

const ID = textKey('r.id');
/** What the list is ordered by: ids sort by time. */
export const RUN_KEYS = { orders: { id: ID }, id: ID };

/** A page of runs by filter, and count and sum of those that fit it, of `counted` at the most. */
export async function listRuns(
  db: Reads,
  filter: RunFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<ListedRun>[]; sums: { currency: Currency; count: number; amount: bigint }[] }> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select r.id, r.member_id, m.name as member_name, m.currency, r.kind, r.label, b.code, r.bonus_version, r.deposit_id, r.state,
         r.qualifying, r.granted, r.taken, r.success_percent, r.fail_percent, r.turnover_percent, r.turnover, r.started_at,
         r.expires_at, r.ended_at, r.ended_by, r.stuck_since,
         case when r.state = 'ACTIVE' then bonus_standing((select x from bonus_run x where x.id = r.id)) end as standing`,
      from: `${FROM} where ${WHERE}`,
      ...RUN_KEYS,
      parameters: ['$5', '$6', '$7'],
    },
    slice.readSort,
  );
  const [rows, sums] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select currency, count(*)::int as count, sum(granted)::bigint as amount
       from (select m.currency, r.granted from bonus_run r join member m on m.id = r.member_id where ${WHERE} limit $5) found
       group by 1 order by 1`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, sums: sums.rows };
}

/** The same rows for a file. */
export const exportRuns = (filter: RunFilter): ExportSource =>
  pageSource(
    sql(`select r.id, r.member_id, m.name as member, r.kind, b.code, r.label, r.state, m.currency,
      ${moneySql('r.qualifying', 'm.currency')} as qualifying, ${moneySql('r.granted', 'm.currency')} as granted,
      ${moneySql('r.taken', 'm.currency')} as taken, r.deposit_id, ${timeSql('r.started_at')} as started_at,
      ${timeSql('r.ended_at')} as ended_at, r.ended_by
    from ${FROM} where ${WHERE} order by r.id desc`),
    valuesOf(filter),
    'id',
  );
