import type { StatementStatus } from '@krapao/contract/shared';
import { type Pool, sql } from '../../platform/database/db.ts';

export interface StatementRow {
  id: string;
  type: 'deposit' | 'bonus' | 'finish_bonus' | 'withdraw' | 'transfer';
  status: StatementStatus;
  source: string;
  target: string;
  amount: bigint;
  reference_kind: 'bonus' | 'promotion' | 'invite' | 'refund' | 'luckydraw' | null;
  reference_text: string | null;
  created_at: Date;
}

/** How many rows a member has: rows are numbered without gaps, so the newest number is the count. */
export async function countStatement(pool: Pool, memberId: bigint): Promise<bigint> {
  const result = await pool.query(
    'select coalesce(max(number), 0) as count from statement where member_id = $1',
    [memberId],
  );
  return result.rows[0]!.count;
}

/** One page by row number: every page is one short range of the primary key, however long the statement is. */
export async function listStatement(
  pool: Pool,
  memberId: bigint,
  at: { newest: bigint; page: bigint; limit: bigint },
): Promise<StatementRow[]> {
  const last = at.newest - (at.page - 1n) * at.limit;
  if (last <= 0n) return [];
  const result = await pool.query(
    `select id, type, status, source, target, amount, reference_kind, reference_text, created_at
     from statement where member_id = $1 and number > $2 and number <= $3 order by number desc`,
    [memberId, last - at.limit, last],
  );
  return result.rows;
}

/** One row by its id. */
export async function findRow(pool: Pool, memberId: bigint, id: string): Promise<StatementRow | undefined> {
  const result = await pool.query(
    `select id, type, status, source, target, amount, reference_kind, reference_text, created_at
     from statement where member_id = $1 and id = $2`,
    [memberId, id],
  );
  return result.rows[0];
}

/** Rows of a block. */
export const BLOCK_ROWS = 1_024n;

/** Which rows are wanted; null where all are. Times are half-open. */
export interface RowFilter {
  type: StatementRow['type'] | null;
  statuses: readonly StatementRow['status'][] | null;
  from: Date | null;
  to: Date | null;
}

export interface BlockRow {
  block: bigint;
  /** How many rows of each type and status, as "deposit SUCCESS". */
  counts: Record<string, number>;
  first_at: Date;
  last_at: Date;
}

/** The counted blocks of a member, newest first. */
export async function listBlocks(pool: Pool, memberId: bigint): Promise<BlockRow[]> {
  const sql =
    'select block, counts, first_at, last_at from statement_block where member_id = $1 order by block desc';
  return (await pool.query(sql, [memberId])).rows;
}

const IN_BLOCK =
  `s.member_id = $1 and s.number > b.block * ${BLOCK_ROWS} and s.number <= (b.block + 1) * ${BLOCK_ROWS}` as const;
const WANTED = `($3::text is null or s.type = $3) and ($4::text[] is null or s.status = any($4))
  and ($5::timestamptz is null or s.created_at >= $5) and ($6::timestamptz is null or s.created_at < $6)`;

const wantedOf = ({ type, statuses, from, to }: RowFilter) => [type, statuses, from, to] as const;

/** Counts these blocks where every row is final; a repeat finds the same, since a final row stays as it is. */
export async function countBlocks(
  pool: Pool,
  memberId: bigint,
  blocks: readonly bigint[],
): Promise<BlockRow[]> {
  const sql = `insert into statement_block (member_id, block, counts, first_at, last_at)
    select $1, b.block, jsonb_object_agg(k.kind, k.rows), min(k.first_at), max(k.last_at)
    from unnest($2::bigint[]) b(block) cross join lateral (
      select s.type || ' ' || s.status as kind, count(*) as rows, min(s.created_at) as first_at,
        max(s.created_at) as last_at, bool_and(s.status in ('SUCCESS', 'FAILED')) as final
      from statement s where ${IN_BLOCK} group by 1) k
    group by b.block having bool_and(k.final)
    on conflict do nothing returning block, counts, first_at, last_at` as const;
  return (await pool.query(sql, [memberId, blocks])).rows;
}

/** How many wanted rows each of these blocks holds, looked up row by row. */
export async function countInBlocks(
  pool: Pool,
  memberId: bigint,
  blocks: readonly bigint[],
  filter: RowFilter,
): Promise<{ block: bigint; rows: number }[]> {
  const sql = `select b.block, (select count(*)::int from statement s where ${IN_BLOCK} and ${WANTED}) as rows
    from unnest($2::bigint[]) b(block)` as const;
  const values = [memberId, blocks, ...wantedOf(filter)] as const;
  return (await pool.query(sql, values)).rows;
}

/** The wanted rows of these blocks, newest first. */
export async function listInBlocks(
  pool: Pool,
  memberId: bigint,
  blocks: readonly bigint[],
  at: RowFilter & { skip: number; limit: number },
): Promise<StatementRow[]> {
  const sql =
    `select s.id, s.type, s.status, s.source, s.target, s.amount, s.reference_kind, s.reference_text, s.created_at
    from unnest($2::bigint[]) b(block) cross join lateral (
      select * from statement s where ${IN_BLOCK} and ${WANTED} offset 0) s
    order by s.number desc offset $7 limit $8` as const;
  const values = [memberId, blocks, ...wantedOf(at), at.skip, at.limit] as const;
  return (await pool.query(sql, values)).rows;
}

/** The wanted rows as a spreadsheet has them, newest first: times in Bangkok, amounts in whole currency. */
export const STATEMENT_EXPORT =
  sql(`select to_char(s.created_at at time zone 'Asia/Bangkok', 'DD/MM/YYYY HH24:MI:SS') as time,
    s.type, s.status, s.source as "from", s.target as "to",
    round(s.amount / case m.currency when 'BAHT' then 100.0 else 1 end, 2) as amount, m.currency, s.id as reference,
    s.reference_text as description
  from statement s join member m on m.id = s.member_id
  where s.member_id = $1 and ($2::text is null or s.type = $2) and ($3::text[] is null or s.status = any($3))
    and ($4::timestamptz is null or s.created_at >= $4) and ($5::timestamptz is null or s.created_at < $5)
  order by s.number desc`);
