import type { Currency } from '@krapao/contract/shared';
import type { Db, PoolClient } from '../../platform/database/db.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  timeKey,
} from '../../platform/http/cursor.ts';
import type { BonusRow } from './queries.ts';

export type BonusState = 'OPEN' | 'SCHEDULED' | 'FULL' | 'ENDED' | 'STOPPED';

/** A bonus in the console's list, with what it gave; amounts in minor units. */
export interface TermsRow {
  id: bigint;
  code: string;
  kind: 'bonus' | 'promotion';
  currency: Currency;
  title: BonusRow['title'];
  state: BonusState;
  starts_at: Date | null;
  ends_at: Date | null;
  quota: number | null;
  /** Of its runs: received, under way, granted, taken. */
  tally: readonly bigint[];
  version: number;
  changed_by: string;
  changed_at: Date;
  approval: string | null;
}

export interface TermsFilter {
  code?: string | undefined;
  text?: string | undefined;
  kinds?: readonly string[] | null;
  states?: readonly BonusState[] | null;
}

const STATE = `case when not b.is_open then 'STOPPED' when b.ends_at <= $1 then 'ENDED' when b.starts_at > $1 then 'SCHEDULED'
  when b.quota is not null and bonus_received(b.id) >= b.quota then 'FULL' else 'OPEN' end`;
const FOUND =
  `select b.id, b.code, b.kind, b.currency, b.title, ${STATE} as state, b.starts_at, b.ends_at, b.quota, b.version,
    b.changed_by, b.changed_at, b.position
  from bonus b where ($2::text is null or b.code = $2) and ($4::text[] is null or b.kind = any($4))
    and ($3::text is null or position(upper($3) in b.code) > 0
      or exists (select 1 from jsonb_each_text(b.title) w where position(lower($3) in lower(w.value)) > 0))` as const;
const FILTERED = `(${FOUND}) f where ($5::text[] is null or f.state = any($5))` as const;
/** What the list is ordered by. */
export const TERMS_KEYS = {
  orders: { position: numberKey('f.position'), changedAt: timeKey('f.changed_at') },
  id: numberKey('f.id'),
};

const valuesOf = (now: Date, filter: TermsFilter) =>
  [now, filter.code ?? null, filter.text || null, filter.kinds ?? null, filter.states ?? null] as const;

/** A page of bonuses by filter, and how many fit it; the runs of those on the page alone are added up. */
export async function listTerms(
  db: Db,
  now: Date,
  filter: TermsFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<TermsRow>[]; total: number }> {
  const values = valuesOf(now, filter);
  const page = keysetSql(
    {
      // PostgreSQL works the tally out after the limit, as every costly expression that no order needs.
      select: `select f.*,
         (select array[count(*), count(*) filter (where r.state = 'ACTIVE'), coalesce(sum(r.granted), 0), coalesce(sum(r.taken), 0)]::bigint[]
          from bonus_run r where r.bonus_id = f.id) as tally,
         (select a.id from approval a where a.subject = 'bonus:' || f.code and a.state = 'PENDING' and a.lapses_at > $1 limit 1) as approval`,
      from: FILTERED,
      ...TERMS_KEYS,
      parameters: ['$6', '$7', '$8'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(`select count(*)::int as total from (select from ${FILTERED} limit $6) found`, [
      ...values,
      counted,
    ]),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

export interface VersionRow {
  version: number;
  /** The bonus as it was, as JSON has it. */
  row: Record<string, unknown>;
}

/** A bonus's versions, newest first. */
export async function listVersions(db: Db, bonusId: bigint): Promise<VersionRow[]> {
  const sql = 'select version, row from bonus_version where bonus_id = $1 order by version desc limit 50';
  return (await db.query(sql, [bonusId])).rows;
}

/** A bonus as JSON has it; undefined when there is none. */
export async function findBonus(db: Db, code: string): Promise<VersionRow | undefined> {
  return (await db.query('select version, to_jsonb(b) as row from bonus b where code = $1', [code])).rows[0];
}

/** The same, locked until the transaction ends. */
export async function lockBonus(tx: PoolClient, code: string): Promise<VersionRow | undefined> {
  const sql = 'select version, to_jsonb(b) as row from bonus b where code = $1 for update';
  return (await tx.query(sql, [code])).rows[0];
}

export async function findVersion(
  tx: PoolClient,
  code: string,
  version: number,
): Promise<VersionRow | undefined> {
  const sql =
    'select v.version, v.row from bonus_version v join bonus b on b.id = v.bonus_id where b.code = $1 and v.version = $2';
  return (await tx.query(sql, [code, version])).rows[0];
}

/** The newest version that was on offer, which two have agreed to; undefined when none was. */
export async function findOpenVersion(db: Db, code: string): Promise<VersionRow | undefined> {
  const sql = `select v.version, v.row from bonus_version v join bonus b on b.id = v.bonus_id
    where b.code = $1 and (v.row ->> 'is_open')::boolean order by v.version desc limit 1`;
  return (await db.query(sql, [code])).rows[0];
}

export async function listCodes(tx: PoolClient): Promise<string[]> {
  const result = await tx.query('select code from bonus order by position, id for update');
  return result.rows.map((row) => row.code);
}

export async function orderCodes(tx: PoolClient, codes: readonly string[]): Promise<void> {
  await tx.query(
    'update bonus b set position = o.place from unnest($1::text[]) with ordinality o(code, place) where b.code = o.code',
    [codes],
  );
}

/** Terms as the estimate needs them; amounts in minor units. */
export interface EstimateTerms {
  currency: Currency;
  award_amount: bigint | null;
  award_percent: number | null;
  award_max: bigint | null;
  deposit_min: bigint | null;
  deposit_max: bigint | null;
  count_by: 'limit' | 'day' | 'week';
  max_received: number;
}

/** What terms would have granted since a moment: each deposit that fits, as often as one member may receive. */
export async function estimate(
  db: Db,
  since: Date,
  terms: EstimateTerms,
): Promise<{ receipts: number; members: number; granted: bigint }> {
  const period =
    terms.count_by === 'limit'
      ? 'null::timestamptz'
      : (`date_trunc('${terms.count_by}', d.created_at at time zone 'Asia/Bangkok') at time zone 'Asia/Bangkok'` as const);
  const result = await db.query(
    `select count(*)::int as receipts, count(distinct x.member_id)::int as members, coalesce(sum(x.award), 0)::bigint as granted from (
       select d.member_id, coalesce($3::bigint, least(d.amount * $4::int / 100, coalesce($5::bigint, d.amount * $4::int / 100))) as award,
         row_number() over (partition by d.member_id, ${period} order by d.created_at) as place
       from deposit d join member m on m.id = d.member_id
       where d.created_at > $1 and m.currency = $2 and d.reversal_id is null
         and ($6::bigint is null or d.amount >= $6) and ($7::bigint is null or d.amount <= $7)) x
     where x.place <= $8`,
    [
      since,
      terms.currency,
      terms.award_amount,
      terms.award_percent,
      terms.award_max,
      terms.deposit_min,
      terms.deposit_max,
      terms.max_received,
    ],
  );
  return result.rows[0]!;
}
