import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@krapao/contract/durations';
import { CURRENCY_DECIMALS } from '@krapao/contract/shared';
import {
  FILE_LINES_MAX,
  FILE_MEGABYTES_MAX,
  type FileLine,
  type FileStatement,
  type Period,
  readStatementInThread,
  type StatementFormat,
  TooManyLines,
  UnreadableStatement,
  wholeDays,
} from '../../outside/index.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { maskAccount } from '../deposits/read.ts';
import { addDays } from './days.ts';
import type { Source } from './sources.ts';
import { findSameFile, insertStatementFile, insertStatementLines } from './statement-queries.ts';

/** How many days one file may cover. */
export const FILE_DAYS_MAX = 100;
const ISO_CURRENCIES = { BAHT: 'THB', LAK: 'LAK' } as const;

export type StatementRefuse = Refuse<
  | 'STATEMENT_UNREADABLE'
  | 'STATEMENT_BALANCE'
  | 'STATEMENT_ACCOUNT'
  | 'STATEMENT_DAYS'
  | 'STATEMENT_TOO_LARGE'
>;

/** The contents of a file about one account, in the stored form. */
export interface ReadStatement {
  format: StatementFormat;
  sha256: Buffer;
  from: string;
  to: string;
  lines: FileLine[];
}

/** The refusal of a file that is larger than allowed. */
export const tooLarge = (refuse: StatementRefuse) =>
  refuse('STATEMENT_TOO_LARGE', { limit: FILE_MEGABYTES_MAX, lines: FILE_LINES_MAX });

const accountNoOf = ({ id }: Source): string => id.split(':')[2] ?? '';

/** Whether a file's account is ours: banks write their code in front, and signs between the digits. */
function isAccount(named: string, accountNo: string): boolean {
  const digits = named.slice(named.lastIndexOf('/') + 1).replaceAll(/\D/g, '');
  return digits.length >= 6 && (digits.endsWith(accountNo) || accountNo.endsWith(digits));
}

/** Reads the bytes and returns the statements that are of this account. */
async function statementsOf(refuse: StatementRefuse, bytes: Buffer, source: Source) {
  const accountNo = accountNoOf(source);
  try {
    const { format, statements } = await readStatementInThread(bytes, CURRENCY_DECIMALS[source.currency]);
    const ours = statements.filter(
      ({ account, currency }) =>
        (account === null || isAccount(account, accountNo)) &&
        (currency === null || currency === ISO_CURRENCIES[source.currency]),
    );
    if (ours.length === 0) throw refuse('STATEMENT_ACCOUNT');
    return { format, ours };
  } catch (error) {
    if (error instanceof UnreadableStatement)
      throw refuse('STATEMENT_UNREADABLE', { line: error.line }, error.message);
    if (error instanceof TooManyLines) throw tooLarge(refuse);
    throw error;
  }
}

/** Whether the movements lead from the opening to the closing balance; so a file cut short is found out. */
function isWhole({ balances, lines }: FileStatement): boolean {
  const sum = lines.reduce(
    (total, line) => total + (line.direction === 'IN' ? line.amountMinor : -line.amountMinor),
    0n,
  );
  return balances === null || balances.closingMinor - balances.openingMinor === sum;
}

/**
 * Returns the period that all statements of a file cover together; null when none names days. Throws STATEMENT_BALANCE when
 * one's closing balance is not the next one's opening balance, and STATEMENT_DAYS when a time between two is not covered.
 */
function joinedPeriod(refuse: StatementRefuse, statements: readonly FileStatement[]): Period | null {
  const sorted = statements
    .flatMap(({ period, balances }) => (period ? [{ period, balances }] : []))
    .toSorted((a, b) => a.period.from - b.period.from);
  for (const [index, { balances }] of sorted.entries()) {
    const next = sorted[index + 1]?.balances;
    if (balances && next && balances.closingMinor !== next.openingMinor) throw refuse('STATEMENT_BALANCE');
  }
  let joined: Period | null = null;
  for (const { period } of sorted) {
    if (joined && period.from - joined.to > MINUTE_MS) throw refuse('STATEMENT_DAYS', { max: FILE_DAYS_MAX });
    joined = joined ? { from: joined.from, to: Math.max(joined.to, period.to) } : period;
  }
  return joined;
}

/**
 * Reads a statement file for one of our bank accounts. Days that are not over, or not covered as a whole, are left out. Writes nothing. Refuses, in this order: STATEMENT_TOO_LARGE, STATEMENT_UNREADABLE, STATEMENT_ACCOUNT,
 * STATEMENT_BALANCE, STATEMENT_DAYS.
 * @param today in Bangkok
 */
export async function readStatement(
  refuse: StatementRefuse,
  bytes: Buffer,
  source: Source,
  today: string,
): Promise<ReadStatement> {
  if (bytes.length > FILE_MEGABYTES_MAX * 1024 * 1024) throw tooLarge(refuse);
  const { format, ours } = await statementsOf(refuse, bytes, source);
  if (!ours.every(isWhole)) throw refuse('STATEMENT_BALANCE');
  const period = joinedPeriod(refuse, ours);
  const days = period && wholeDays(period);
  const from = days?.from;
  const to = days && days.to < today ? days.to : addDays(today, -1);
  if (!from || from > to || addDays(from, FILE_DAYS_MAX - 1) < to)
    throw refuse('STATEMENT_DAYS', { max: FILE_DAYS_MAX });
  // Some banks repeat the account of the statement in each row, where others have that of the other side.
  const own = accountNoOf(source).replaceAll(/\D/g, '');
  const otherSide = (account: string) => (account.replaceAll(/\D/g, '') === own ? '' : account);
  const masked = (account: string) => (/^\d{5,}$/.test(account) ? maskAccount(account) : account);
  const lines = ours
    .flatMap((statement) => statement.lines)
    .filter(({ day }) => day >= from && day <= to)
    .map((line) => ({ ...line, account: masked(otherSide(line.account.replaceAll(/[\s-]/g, ''))) }));
  return { format, sha256: createHash('sha256').update(bytes).digest(), from, to, lines };
}

/** Keeps a statement; a repeat of the same file for the same account keeps nothing and returns the first. */
export async function keepStatement(
  tx: PoolClient,
  read: ReadStatement,
  of: { source: string; name: string; by: string; now: Date },
): Promise<{ id: bigint; isRepeat: boolean }> {
  const file = { ...of, ...read, from_day: read.from, to_day: read.to, line_count: read.lines.length };
  const id = await insertStatementFile(tx, file);
  if (id === undefined) {
    const same = await findSameFile(tx, of.source, read.sha256);
    if (!same) throw new Error('a statement file was removed while it was uploaded again');
    return { id: same.id, isRepeat: true };
  }
  await insertStatementLines(tx, id, read.lines);
  return { id, isRepeat: false };
}
