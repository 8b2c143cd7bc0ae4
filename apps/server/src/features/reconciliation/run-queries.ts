import type { Currency, DifferenceKind } from '@krapao/contract/shared';
import { type Db, type PoolClient, type Reads, sql } from '../../platform/database/db.ts';
import { pageSource } from '../../platform/database/pages.ts';
import type { Choices } from '../../platform/http/choices.ts';
import {
  keysetSql,
  keysetValues,
  type Listed,
  numberKey,
  type Slice,
  textKey,
  timeKey,
} from '../../platform/http/cursor.ts';
import { type ExportSource, moneySql, timeSql } from '../../platform/http/export-file.ts';
import { orderBy } from '../../platform/http/list.ts';
import type { Totals } from './compare.ts';

export interface RunRow {
  day: string;
  source: string;
  currency: Currency;
  state: 'WAITING' | 'COMPARED' | 'UNKNOWN' | 'NOT_OFFERED';
  note: string | null;
  tried: number;
  their_count: number;
  their_in: bigint;
  their_out: bigint;
  our_count: number;
  our_in: bigint;
  our_out: bigint;
  left_out: number;
  compared_to: Date | null;
  compared_at: Date | null;
  tried_at: Date | null;
  /** A worker is comparing it now. */
  is_running: boolean;
  open: number;
  explained: number;
}

/** All comparisons of a day, with how many of their differences are open and explained. */
export async function listRuns(db: Db, day: string): Promise<RunRow[]> {
  const sql = `select r.day::text as day, r.source, r.currency, r.state, r.note, r.tried, r.their_count, r.their_in, r.their_out,
      r.our_count, r.our_in, r.our_out, r.left_out, r.compared_to, r.compared_at, r.tried_at, r.taken_until > now() as is_running,
      count(*) filter (where d.state = 'OPEN')::int as open, count(*) filter (where d.state = 'EXPLAINED')::int as explained
    from reconciliation_run r left join reconciliation_difference d on d.day = r.day and d.source = r.source
    where r.day = $1::date group by r.day, r.source order by r.source`;
  return (await db.query(sql, [day])).rows;
}

/** The latest day that was compared; null when none was. */
export async function readLastDay(db: Db): Promise<string | null> {
  const sql = 'select max(day)::text as day from reconciliation_run';
  return (await db.query(sql)).rows[0]!.day;
}

/** The day is over, and was compared to its end. */
const FINISHED =
  "state in ('COMPARED', 'NOT_OFFERED') and compared_to >= (day + 1)::timestamp at time zone 'Asia/Bangkok'";

/** What needs no comparing any more of some days, as "day source". */
export async function listFinished(db: Db, days: readonly string[]): Promise<Set<string>> {
  const sql =
    `select day::text || ' ' || source as run from reconciliation_run where day = any($1::date[]) and ${FINISHED}` as const;
  return new Set((await db.query(sql, [days])).rows.map(({ run }) => run));
}

/**
 * Takes the right to compare a source on a day, for so long at most; true for one of all instances. Unless it is wanted
 * again, what was compared to the day's end is not taken again, nor a silent partner before `again`.
 */
export async function takeRun(
  db: Db,
  run: { day: string; source: string; currency: Currency },
  by: { token: string; leaseMs: number; now: Date; isWanted: boolean },
): Promise<boolean> {
  await db.query(
    `insert into reconciliation_run (day, source, currency, state) values ($1::date, $2, $3, 'WAITING') on conflict do nothing`,
    [run.day, run.source, run.currency],
  );
  const result = await db.query(
    `update reconciliation_run set taken_by = $3, taken_until = now() + $4 * interval '1 millisecond', tried_at = $5
     where day = $1::date and source = $2 and taken_until < now()
       and ($6 or ((${FINISHED}) is not true and (state not in ('UNKNOWN', 'NOT_OFFERED') or tried_at + least(power(2, tried), 60) * interval '1 minute' <= $5)))`,
    [run.day, run.source, by.token, by.leaseMs, by.now, by.isWanted],
  );
  return result.rowCount === 1;
}

/** Keeps the right for longer. */
export async function keepRun(
  db: Db,
  run: { day: string; source: string },
  by: { token: string; leaseMs: number },
): Promise<void> {
  await db.query(
    "update reconciliation_run set taken_until = now() + $4 * interval '1 millisecond' where day = $1::date and source = $2 and taken_by = $3",
    [run.day, run.source, by.token, by.leaseMs],
  );
}

/** Gives the right back without a result, after a failure of our own. */
export async function dropRun(db: Db, run: { day: string; source: string }, token: string): Promise<void> {
  await db.query(
    "update reconciliation_run set taken_by = null, taken_until = '-infinity' where day = $1::date and source = $2 and taken_by = $3",
    [run.day, run.source, token],
  );
}

/**
 * Ends a run whose partner gave no answer or has nothing to compare; without `to` it is tried again. Returns the tries,
 * or null when the right was lost.
 */
export async function endWithout(
  tx: PoolClient,
  run: { day: string; source: string },
  end: { token: string; state: 'UNKNOWN' | 'NOT_OFFERED'; note: string; to: Date | null },
): Promise<number | null> {
  const result = await tx.query(
    `update reconciliation_run set state = $4, note = $5, tried = tried + 1, 
       compared_to = case when $4 = 'NOT_OFFERED' then coalesce($6, compared_to) else compared_to end, taken_by = null, taken_until = '-infinity'
     where day = $1::date and source = $2 and taken_by = $3 returning tried`,
    [run.day, run.source, end.token, end.state, end.note.slice(0, 200), end.to],
  );
  return result.rows[0]?.tried ?? null;
}

/** Resets what an earlier comparison of a run counted. */
export async function clearTotals(tx: PoolClient, run: { day: string; source: string }): Promise<void> {
  await tx.query(
    `update reconciliation_run set their_count = 0, their_in = 0, their_out = 0, our_count = 0, our_in = 0, our_out = 0,
       left_out = 0, compared_at = null where day = $1::date and source = $2`,
    [run.day, run.source],
  );
}

/** Ends a run that was compared; false when the right was lost meanwhile. */
export async function endCompared(
  tx: PoolClient,
  run: { day: string; source: string },
  end: { token: string; theirs: Totals; ours: Totals; leftOut: number; to: Date; now: Date },
): Promise<boolean> {
  const { theirs, ours } = end;
  const result = await tx.query(
    `update reconciliation_run set state = 'COMPARED', note = null, tried = 0, their_count = $4, their_in = $5, their_out = $6,
       our_count = $7, our_in = $8, our_out = $9, left_out = $10, compared_to = $11, compared_at = $12, taken_by = null, taken_until = '-infinity'
     where day = $1::date and source = $2 and taken_by = $3`,
    [
      run.day,
      run.source,
      end.token,
      theirs.count,
      theirs.inMinor,
      theirs.outMinor,
      ours.count,
      ours.inMinor,
      ours.outMinor,
      end.leftOut,
      end.to,
      end.now,
    ],
  );
  return result.rowCount === 1;
}

export interface NewDifference {
  kind: string;
  mark: string;
  direction: 'IN' | 'OUT';
  their_reference: string | null;
  their_amount: bigint | null;
  their_at: Date | null;
  their_account: string | null;
  our_subject: string | null;
  our_reference: string | null;
  our_amount: bigint | null;
  our_at: Date | null;
  member_id: bigint | null;
}

/** Makes the open differences of a run exactly these; explained ones and the numbers of open ones stay. */
export async function replaceOpen(
  tx: PoolClient,
  run: { day: string; source: string; currency: Currency },
  rows: readonly NewDifference[],
  now: Date,
): Promise<void> {
  const column = <const Name extends keyof NewDifference>(name: Name) => rows.map((row) => row[name]);
  await tx.query(
    `delete from reconciliation_difference where day = $1::date and source = $2 and state = 'OPEN' and mark <> all($3)`,
    [run.day, run.source, rows.map((row) => row.mark)],
  );
  await tx.query(
    `insert into reconciliation_difference (day, source, currency, state, found_at, kind, mark, direction, their_reference, their_amount, their_at, their_account,
       our_subject, our_reference, our_amount, our_at, member_id)
     select $1::date, $2, $3, 'OPEN', $4, r.* from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::timestamptz[], $11::text[],
       $12::text[], $13::text[], $14::bigint[], $15::timestamptz[], $16::bigint[]) r
     on conflict (day, source, mark) do nothing`,
    [
      run.day,
      run.source,
      run.currency,
      now,
      column('kind'),
      column('mark'),
      column('direction'),
      column('their_reference'),
      column('their_amount'),
      column('their_at'),
      column('their_account'),
      column('our_subject'),
      column('our_reference'),
      column('our_amount'),
      column('our_at'),
      column('member_id'),
    ],
  );
}

export async function countOpen(db: Db, run: { day: string; source: string }): Promise<number> {
  const sql =
    "select count(*)::int as count from reconciliation_difference where day = $1::date and source = $2 and state = 'OPEN'";
  return (await db.query(sql, [run.day, run.source])).rows[0]!.count;
}

export interface DifferenceRow extends NewDifference {
  id: bigint;
  day: string;
  source: string;
  kind: DifferenceKind;
  currency: Currency;
  member_name: string | null;
  state: 'OPEN' | 'EXPLAINED';
  found_at: Date;
  explained_by: string | null;
  explained_at: Date | null;
  explanation: string | null;
}

const DIFFERENCE = `d.id, d.day::text as day, d.source, d.kind, d.mark, d.direction /* never null */, d.currency, d.their_reference, d.their_amount, d.their_at, d.their_account,
  d.our_subject, d.our_reference, d.our_amount, d.our_at, d.member_id, m.name as member_name, d.state, d.found_at, o.name as explained_by, d.explained_at, d.explanation`;
const DIFFERENCE_FROM = `reconciliation_difference d left join member m on m.id = d.member_id left join operator o on o.id = d.explained_by`;

/** Differences of a day, or of some of its sources, kinds or states: open ones first. */
const WHERE =
  'd.day = $1::date and ($2::text[] is null or d.source = any($2)) and d.source <> all($4::text[]) and ($3::text[] is null or d.state = any($3)) and ($5::text[] is null or d.kind = any($5))';
const ORDERS = {
  at: timeKey('coalesce(d.their_at, d.our_at, d.found_at)'),
  gap: numberKey('coalesce(d.their_amount, 0) - coalesce(d.our_amount, 0)'),
  /** Open ones first, source by source, by time. */
  source: textKey(
    `case d.state when 'OPEN' then '0 ' else '1 ' end || d.source || to_char(coalesce(d.their_at, d.our_at, d.found_at) at time zone 'UTC', ' YYYYMMDDHH24MISSUS')`,
  ),
} as const;
/** What the list is ordered by; `source` where a request names no order. */
export const DIFFERENCE_KEYS = { orders: ORDERS, id: numberKey('d.id') };

export interface DifferenceFilter {
  day: string;
  source: Choices;
  states: readonly string[] | null;
  kinds: readonly DifferenceKind[] | null;
}
const valuesOf = ({ day, source, states, kinds }: DifferenceFilter) =>
  [day, source.only, states, source.not, kinds] as const;

/** A page of the differences of a day, and how many fit the filter, `counted` at the most. */
export async function listDifferences(
  db: Reads,
  filter: DifferenceFilter,
  slice: Slice,
  counted: number | null,
): Promise<{ rows: Listed<DifferenceRow>[]; total: number }> {
  const values = valuesOf(filter);
  const page = keysetSql(
    {
      select: `select ${DIFFERENCE}`,
      from: `${DIFFERENCE_FROM} where ${WHERE}`,
      ...DIFFERENCE_KEYS,
      parameters: ['$6', '$7', '$8'],
    },
    slice.readSort,
  );
  const [rows, count] = await Promise.all([
    db.query(page, [...values, ...keysetValues(slice)]),
    db.query(
      `select count(*)::int as total from (select from reconciliation_difference d where ${WHERE} limit $6) found`,
      [...values, counted],
    ),
  ]);
  return { rows: rows.rows, total: count.rows[0]!.total };
}

/** The same rows for a file. */
export const exportDifferences = (filter: DifferenceFilter, sort: string): ExportSource =>
  pageSource(
    sql(`select d.id, d.day::text as day, d.source, d.kind, d.direction, d.currency,
      d.their_reference, ${moneySql('d.their_amount', 'd.currency')} as their_amount, ${timeSql('d.their_at')} as their_at, d.their_account,
      d.our_subject, d.our_reference, ${moneySql('d.our_amount', 'd.currency')} as our_amount, ${timeSql('d.our_at')} as our_at,
      d.member_id, d.state, ${timeSql('d.found_at')} as found_at, o.name as explained_by, ${timeSql('d.explained_at')} as explained_at, d.explanation
    from reconciliation_difference d left join operator o on o.id = d.explained_by where ${WHERE} order by ${orderBy(ORDERS, sort, 'd.id')}`),
    valuesOf(filter),
    'id',
  );

/**
 * Returns one difference and locks it, and before it its run: differences of a run are explained one after the other,
 * so that the last one finds none open.
 */
export async function lockDifference(
  tx: PoolClient,
  id: bigint,
): Promise<Pick<DifferenceRow, 'day' | 'source' | 'state'> | undefined> {
  await tx.query(
    `select 1 from reconciliation_difference d join reconciliation_run r on r.day = d.day and r.source = d.source
     where d.id = $1 for update of r`,
    [id],
  );
  const sql =
    'select day::text as day, source, state from reconciliation_difference where id = $1 for update';
  return (await tx.query(sql, [id])).rows[0];
}

export async function explain(
  tx: PoolClient,
  id: bigint,
  by: { operatorId: bigint; reason: string; now: Date },
): Promise<void> {
  await tx.query(
    "update reconciliation_difference set state = 'EXPLAINED', explained_by = $2, explanation = $3, explained_at = $4 where id = $1",
    [id, by.operatorId, by.reason, by.now],
  );
}
