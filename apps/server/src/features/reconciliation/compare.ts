import type { DifferenceKind } from '@krapao/contract/shared';
import { NO_REFERENCE, type Span, type StatementLine } from '../../outside/index.ts';
import { compareAccounts } from '../deposits/read.ts';

/** What we booked of one movement. */
export interface OurRow {
  /** "deposit:DP…", "withdrawal:WD…", "unmatched:12": where an operator finds it. */
  subject: string;
  /** Every reference the partner may know it by. */
  references: string[];
  direction: 'IN' | 'OUT';
  amountMinor: bigint;
  /** The partner moved the money some time between these, both included. */
  since: Date;
  until: Date;
  memberId: bigint | null;
  /** The other side's account as far as it is known, masked; null when it is not. */
  account: string | null;
  /** Not booked yet, only known: it explains nothing, but shows where to look. */
  isOpen?: boolean;
}

/** One difference. `mark` names it over repeats and changes with its figures. */
export interface Difference {
  kind: DifferenceKind;
  mark: string;
  theirs: StatementLine | null;
  ours: OurRow | null;
}

/** The totals of a side for a day: number of rows, sums in and out. */
export interface Totals {
  count: number;
  inMinor: bigint;
  outMinor: bigint;
}

export interface Comparison {
  differences: Difference[];
  theirs: Totals;
  ours: Totals;
}

/** The result of a comparison. `note` of an UNKNOWN one is the partner's message, if any. */
export type Verdict =
  | (Comparison & { state: 'COMPARED'; leftOut: number })
  | { state: 'UNKNOWN' | 'NOT_OFFERED'; note: string };

/** Without a common reference two tellings may be so far apart in time. */
const FIT_MS = 2 * 60_000;

const isIn = (at: Date, { from, to }: Span): boolean => at >= from && at < to;
/** Whether the partner moved the money of a line in a span, as far as their statement tells. */
export const isLineIn = ({ at, until = at }: StatementLine, { from, to }: Span): boolean =>
  until >= from && at < to;

export const totals = (rows: readonly { direction: 'IN' | 'OUT'; amountMinor: bigint }[]): Totals => ({
  count: rows.length,
  inMinor: rows.reduce((sum, row) => (row.direction === 'IN' ? sum + row.amountMinor : sum), 0n),
  outMinor: rows.reduce((sum, row) => (row.direction === 'OUT' ? sum + row.amountMinor : sum), 0n),
});

const fits = (line: StatementLine, row: OurRow): boolean =>
  row.direction === line.direction &&
  row.amountMinor === line.amountMinor &&
  (line.until ?? line.at).getTime() >= row.since.getTime() - FIT_MS &&
  line.at.getTime() <= row.until.getTime() + FIT_MS &&
  (row.account === null || line.account === '' || compareAccounts(line.account, row.account) !== 'mismatch');

/** The references of a line that name one movement: a QR's own may be paid several times, a payout's not. */
export const referencesOf = (line: StatementLine): string[] =>
  line.direction === 'OUT' && line.ours ? [line.reference, line.ours] : [line.reference];

/** What names a line in marks. One without a reference is named by its times and the end of its account. */
const nameOf = ({ direction, reference, at, until, account }: StatementLine): string =>
  reference === NO_REFERENCE
    ? [direction, reference, at.toISOString(), until?.toISOString() ?? '', account.slice(-4)].join(' ')
    : `${direction} ${reference}`;

/** Pairs lines and rows one to one: by reference first, then by amount, time and what is visible of the account. */
function pair(theirs: readonly StatementLine[], ours: readonly OurRow[]): Map<StatementLine, OurRow> {
  const pairs = new Map<StatementLine, OurRow>();
  const free = new Set(ours.filter((row) => !row.isOpen));
  const byReference = new Map<string, OurRow[]>();
  for (const row of free)
    for (const reference of row.references) {
      const key = `${row.direction} ${reference}`;
      byReference.set(key, [...(byReference.get(key) ?? []), row]);
    }
  const take = (line: StatementLine, row: OurRow | undefined): void => {
    if (!row) return;
    pairs.set(line, row);
    free.delete(row);
  };
  for (const line of theirs) {
    const named = referencesOf(line).flatMap((key) => byReference.get(`${line.direction} ${key}`) ?? []);
    take(
      line,
      named.find((row) => free.has(row)),
    );
  }
  const byAmount = Map.groupBy(free, (row) => `${row.direction} ${row.amountMinor}`);
  for (const line of theirs) {
    if (pairs.has(line)) continue;
    const rows = byAmount.get(`${line.direction} ${line.amountMinor}`) ?? [];
    const away = (row: OurRow) => Math.abs(row.until.getTime() - line.at.getTime());
    const fitting = rows.filter((row) => free.has(row) && fits(line, row));
    take(line, fitting.toSorted((a, b) => away(a) - away(b))[0]);
  }
  return pairs;
}

/**
 * Holds a partner's lines against our rows. Both may reach beyond the day, so that what fell on both sides of midnight
 * still meets; a difference is raised only for rows of the day itself. Pure; the same input gives the same marks.
 */
export function compare(theirs: readonly StatementLine[], ours: readonly OurRow[], day: Span): Comparison {
  const pairs = pair(theirs, ours);
  const paired = new Set(pairs.values());
  const inDay = theirs.filter((line) => isLineIn(line, day));
  const lonely = ours.filter((row) => !row.isOpen && !paired.has(row) && isIn(row.until, day));
  const seen = new Map<string, number>();
  /** The second line of the same reference is another difference than the first. */
  const once = (mark: string): string => {
    const count = (seen.get(mark) ?? 0) + 1;
    seen.set(mark, count);
    return count === 1 ? mark : `${mark} #${count}`;
  };
  const differences: Difference[] = [];
  for (const line of inDay) {
    const row = pairs.get(line);
    const name = nameOf(line);
    if (!row) {
      const known = ours.find(
        ({ isOpen, references }) => isOpen && referencesOf(line).some((key) => references.includes(key)),
      );
      const mark = once(`theirs ${name} ${line.amountMinor}`);
      differences.push({ kind: 'MISSING_OURS', mark, theirs: line, ours: known ?? null });
    } else if (row.amountMinor !== line.amountMinor) {
      const mark = once(`amount ${name} ${line.amountMinor} ${row.amountMinor}`);
      differences.push({ kind: 'AMOUNT', mark, theirs: line, ours: row });
    }
  }
  for (const row of lonely)
    differences.push({
      kind: 'MISSING_THEIRS',
      mark: once(`ours ${row.subject} ${row.amountMinor}`),
      theirs: null,
      ours: row,
    });
  const ourDay = [...inDay.flatMap((line) => pairs.get(line) ?? []), ...lonely];
  return { differences, theirs: totals(inDay), ours: totals(ourDay) };
}
