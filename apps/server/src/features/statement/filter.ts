import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import type { statement } from '@krapao/contract/member';
import type { Static } from 'typebox';
import type { Pool, Reads } from '../../platform/database/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  BLOCK_ROWS,
  type BlockRow,
  countBlocks,
  countInBlocks,
  countStatement,
  listBlocks,
  listInBlocks,
  type Reader,
  type RowFilter,
  type StatementRow,
} from './queries.ts';

type Filter = Static<typeof statement.StatementFilter>;

const STATUSES = {
  SUCCESS: ['SUCCESS'],
  FAILED: ['FAILED'],
  IN_PROGRESS: ['PENDING', 'PROCESSING', 'REVIEW'],
} as const satisfies Record<string, readonly StatementRow['status'][]>;

/** The first moment of a day in Bangkok; throws INVALID_REQUEST for a day the calendar does not have. */
function startOf(day: string): Date {
  const midnight = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day)
    throw new Refusal('INVALID_REQUEST');
  return new Date(midnight.getTime() - BANGKOK_OFFSET_MS);
}

/** A member's filter in the form that rows are compared to; null for all rows. */
export function rowFilterOf({ type, status, from, to }: Filter): RowFilter | null {
  if (!type && !status && !from && !to) return null;
  return {
    type: type ?? null,
    statuses: status ? STATUSES[status] : null,
    from: from ? startOf(from) : null,
    to: to ? new Date(startOf(to).getTime() + DAY_MS) : null,
  };
}

/** How many wanted rows a counted block has, or null where some of its rows are outside the times. */
function countedRows({ counts, first_at, last_at }: BlockRow, filter: RowFilter): number | null {
  const { type, statuses, from, to } = filter;
  if ((from && last_at < from) || (to && first_at >= to)) return 0;
  if ((from && first_at < from) || (to && last_at >= to)) return null;
  const wanted = Object.entries(counts).filter(([kind]) => {
    const [ofType, status] = kind.split(' ') as [StatementRow['type'], StatementRow['status']];
    return (type === null || ofType === type) && (statuses === null || statuses.includes(status));
  });
  return wanted.reduce((sum, [, rows]) => sum + rows, 0);
}

/** Where rows are read, and where counts of blocks are stored. */
interface StatementReads {
  pool: Pool;
  reads: Reads;
}

/** Counted blocks by their number; those that have become final since are counted now. */
async function knownBlocks(
  { pool, reads }: StatementReads,
  memberId: bigint,
  full: bigint,
): Promise<Map<bigint, BlockRow>> {
  const known = new Map((await listBlocks(reads, memberId)).map((row) => [row.block, row]));
  const open: bigint[] = [];
  for (let block = 0n; block < full; block++) if (!known.has(block)) open.push(block);
  if (open.length > 0) for (const row of await countBlocks(pool, memberId, open)) known.set(row.block, row);
  return known;
}

/** Every block that holds wanted rows, newest first, with how many. */
async function blocksWith(
  deps: StatementReads,
  memberId: bigint,
  filter: RowFilter,
): Promise<{ block: bigint; rows: number }[]> {
  const newest = await countStatement(deps.reads, memberId);
  const known = await knownBlocks(deps, memberId, newest / BLOCK_ROWS);
  const found = new Map<bigint, number>();
  const unsure: bigint[] = [];
  for (let block = (newest - 1n) / BLOCK_ROWS; block >= 0n && newest > 0n; block--) {
    const counted = known.get(block);
    const rows = counted ? countedRows(counted, filter) : null;
    if (rows === null) unsure.push(block);
    found.set(block, rows ?? 0);
  }
  if (unsure.length > 0)
    for (const { block, rows } of await countInBlocks(deps.reads, memberId, unsure, filter))
      found.set(block, rows);
  return [...found].map(([block, rows]) => ({ block, rows })).filter(({ rows }) => rows > 0);
}

/**
 * One page of the rows a filter lets through, newest first, and how many there are. Whole blocks are skipped by their
 * counts, so that only blocks with rows of this page are read, at any distance.
 */
export async function filteredPage(
  deps: StatementReads,
  reader: Reader,
  filter: RowFilter,
  at: { page: number; limit: number },
): Promise<{ rows: StatementRow[]; total: number }> {
  const blocks = await blocksWith(deps, reader.id, filter);
  const total = blocks.reduce((sum, { rows }) => sum + rows, 0);
  let skip = (at.page - 1) * at.limit;
  if (skip >= total) return { rows: [], total };
  let first = 0;
  for (; skip >= blocks[first]!.rows; first++) skip -= blocks[first]!.rows;
  let last = first;
  for (let have = blocks[first]!.rows - skip; have < at.limit && last + 1 < blocks.length; )
    have += blocks[++last]!.rows;
  const read = blocks.slice(first, last + 1).map(({ block }) => block);
  return { rows: await listInBlocks(deps.reads, reader, read, { ...filter, skip, limit: at.limit }), total };
}
