import type { Pool } from 'pg';

export interface StatementRow {
  id: string;
  type: 'deposit' | 'bonus' | 'finish_bonus' | 'withdraw' | 'transfer';
  status: 'PENDING' | 'PROCESSING' | 'REVIEW' | 'SUCCESS' | 'FAILED';
  source: string;
  target: string;
  amount: bigint;
  reference_kind: 'bonus' | 'promotion' | 'invite' | 'refund' | 'luckydraw' | null;
  reference_text: string | null;
  created_at: Date;
}

/** How many rows a member has: rows are numbered without gaps, so the newest number is the count. */
export async function countStatement(pool: Pool, memberId: bigint): Promise<bigint> {
  const result = await pool.query<{ count: bigint }>(
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
  const result = await pool.query<StatementRow>(
    `select id, type, status, source, target, amount, reference_kind, reference_text, created_at
     from statement where member_id = $1 and number > $2 and number <= $3 order by number desc`,
    [memberId, last - at.limit, last],
  );
  return result.rows;
}
