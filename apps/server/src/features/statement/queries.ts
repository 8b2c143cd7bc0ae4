import type { Language, StatementStatus } from '@krapao/contract/shared';
import { type Pool, type Reads, sql } from '../../platform/database/db.ts';
import { payerBankSql } from '../unmatched/read.ts';

export interface StatementRow {
  id: string;
  type: 'deposit' | 'bonus' | 'finish_bonus' | 'withdraw' | 'transfer';
  status: StatementStatus;
  source: string;
  target: string;
  amount: bigint;
  reference_kind: 'bonus' | 'promotion' | 'invite' | 'refund' | 'luckydraw' | null;
  /** Its source, in the reader's language. */
  description: string | null;
  created_at: Date;
}

/** Whose rows, and in which language they are named. */
export interface Reader {
  id: bigint;
  language: Language;
}

const description = <const Parameter extends string>(language: Parameter) =>
  `statement_description(s.member_id, s.id, s.type, s.reference_kind, s.reference_text, s.created_at, ${language})` as const;
/** Of a statement row `s`; the language is the parameter named. */
const columns = <const Parameter extends string>(language: Parameter) =>
  `s.id, s.type, s.status, s.source, s.target, s.amount, s.reference_kind, ${description(language)} as description, s.created_at` as const;

/** How many rows a member has: rows are numbered without gaps, so the newest number is the count. */
export async function countStatement(pool: Reads, memberId: bigint): Promise<bigint> {
  const result = await pool.query(
    'select coalesce(max(number), 0) as count from statement where member_id = $1',
    [memberId],
  );
  return result.rows[0]!.count;
}

/** One page by row number: every page is one short range of the primary key, however long the statement is. */
export async function listStatement(
  pool: Reads,
  reader: Reader,
  at: { newest: bigint; page: bigint; limit: bigint },
): Promise<StatementRow[]> {
  const last = at.newest - (at.page - 1n) * at.limit;
  if (last <= 0n) return [];
  const result = await pool.query(
    `select ${columns('$2')} from statement s
     where s.member_id = $1 and s.number > $3 and s.number <= $4 order by s.number desc`,
    [reader.id, reader.language, last - at.limit, last],
  );
  return result.rows;
}

export interface ReceiptRow extends StatementRow {
  /** The channel of a deposit; null for everything else. */
  channel: 'QR' | 'AUTO' | 'SLIP' | 'GIFT' | 'MANUAL' | null;
  /** The member's account that was paid to, sealed. */
  account_bank: string | null;
  account_name: string | null;
  account_no_sealed: Buffer | null;
  /** The account a deposit was paid from, its number as the bank masked it. */
  payer_bank: string | null;
  payer_mask: string | null;
  /** Why an operator rejected a withdrawal, in the reader's language. */
  rejected_because: string | null;
  /** The wallet right after the last entry of the movement. */
  balance_after: bigint | null;
}

/** One row by its id, with what its receipt shows. */
export async function findReceipt(pool: Reads, reader: Reader, id: string): Promise<ReceiptRow | undefined> {
  const result = await pool.query(
    `select ${columns('$2')}, d.channel, a.bank_code as account_bank, a.account_name, a.account_no_sealed,
       ${payerBankSql('t.payer_bank')} as payer_bank, t.payer_mask, (select j.notice ->> $2 from withdrawal_rejection j where j.withdrawal_id = s.id) as rejected_because,
       (select p.balance_after from ledger_posting p where p.account_id = m.wallet_account and p.entry_id in (
          select e.entry_id from deposit e where e.id = s.id
          union all select e.entry_id from bonus_run e where e.id = s.id
          union all select e.entry_id from manual_entry e where e.id = s.id
          union all select e.entry_id from reversal e where e.id = s.id
          union all select e.entry_id from payout_return e where e.id = s.id
          union all select e.id from ledger_entry e where e.reference in (
            'manual:' || s.id, 'withdrawal:' || s.id || ':hold', 'withdrawal:' || s.id || ':end',
            'transfer:' || s.id || ':hold', 'transfer:' || s.id || ':end',
            'withdrawal:' || w.retry_of || ':retry',
            'bonus:' || (select r.id from bonus_run r where s.type = 'finish_bonus' and r.member_id = s.member_id
              and r.ended_at = s.created_at and r.state <> 'PLAIN') || ':end'))
        order by p.entry_id desc, p.leg desc limit 1) as balance_after
     from statement s join member m on m.id = s.member_id
     left join deposit d on d.id = s.id
     left join bank_transaction t on t.bank_code = d.bank_code and t.bank_reference = d.bank_reference
     left join withdrawal w on w.id = s.id left join bank_account a on a.id = w.bank_account_id
     where s.member_id = $1 and s.id = $3`,
    [reader.id, reader.language, id],
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
export async function listBlocks(pool: Reads, memberId: bigint): Promise<BlockRow[]> {
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
  pool: Reads,
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
  pool: Reads,
  reader: Reader,
  blocks: readonly bigint[],
  at: RowFilter & { skip: number; limit: number },
): Promise<StatementRow[]> {
  const sql = `select ${columns('$9')}
    from unnest($2::bigint[]) b(block) cross join lateral (
      select * from statement s where ${IN_BLOCK} and ${WANTED} offset 0) s
    order by s.number desc offset $7 limit $8` as const;
  const values = [reader.id, blocks, ...wantedOf(at), at.skip, at.limit, reader.language] as const;
  return (await pool.query(sql, values)).rows;
}

/** The wanted rows as a spreadsheet has them, newest first: times in Bangkok, amounts in whole currency. */
export const STATEMENT_EXPORT =
  sql(`select to_char(s.created_at at time zone 'Asia/Bangkok', 'DD/MM/YYYY HH24:MI:SS') as time,
    s.type, s.status, s.source as "from", s.target as "to",
    round(s.amount / case m.currency when 'BAHT' then 100.0 else 1 end, 2) as amount, m.currency, s.id as reference,
    ${description('$6')} as description
  from statement s join member m on m.id = s.member_id
  where s.member_id = $1 and ($2::text is null or s.type = $2) and ($3::text[] is null or s.status = any($3))
    and ($4::timestamptz is null or s.created_at >= $4) and ($5::timestamptz is null or s.created_at < $5)
  order by s.number desc`);
