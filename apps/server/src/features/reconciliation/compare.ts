import type { DifferenceKind } from '@krapao/contract/shared';
import { NO_REFERENCE, type Span, type StatementLine } from '../../outside/index.ts';
import { type OurRow, pair, referencesOf } from './pairing.ts';

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

const isIn = (at: Date, { from, to }: Span): boolean => at >= from && at < to;
/** Whether the partner moved the money of a line in a span, as far as their statement tells. */
export const isLineIn = ({ at, until = at }: StatementLine, { from, to }: Span): boolean =>
  until >= from && at < to;

export const totals = (rows: readonly { direction: 'IN' | 'OUT'; amountMinor: bigint }[]): Totals => ({
  count: rows.length,
  inMinor: rows.reduce((sum, row) => (row.direction === 'IN' ? sum + row.amountMinor : sum), 0n),
  outMinor: rows.reduce((sum, row) => (row.direction === 'OUT' ? sum + row.amountMinor : sum), 0n),
});

/** What names a line in marks. One without a reference is named by its times and the end of its account. */
const nameOf = ({ direction, reference, at, until, account }: StatementLine): string =>
  reference === NO_REFERENCE
    ? [direction, reference, at.toISOString(), until?.toISOString() ?? '', account.slice(-4)].join(' ')
    : `${direction} ${reference}`;

/** Indexes the rows that are not booked yet by their references; returns a search for the first one that a line names. */
function openRows(ours: readonly OurRow[]): (line: StatementLine) => OurRow | null {
  const places = new Map<string, number>();
  for (const [place, { isOpen, references }] of ours.entries())
    if (isOpen) for (const reference of references) if (!places.has(reference)) places.set(reference, place);
  return (line) => {
    const found = referencesOf(line).flatMap((reference) => places.get(reference) ?? []);
    return found.length > 0 ? ours[found.reduce((least, place) => Math.min(least, place))]! : null;
  };
}

/**
 * Holds a partner's lines against our rows. Both may reach beyond the day, so that what fell on both sides of midnight
 * still meets; a difference is raised only for rows of the day itself. Reads nothing else; the same input gives the same marks.
 */
export async function compare(
  theirs: readonly StatementLine[],
  ours: readonly OurRow[],
  day: Span,
): Promise<Comparison> {
  const pairs = await pair(theirs, ours);
  const openOf = openRows(ours);
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
      const mark = once(`theirs ${name} ${line.amountMinor}`);
      differences.push({ kind: 'MISSING_OURS', mark, theirs: line, ours: openOf(line) });
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
