import type { StatementLine } from '../../outside/index.ts';
import { shownDigits } from '../deposits/read.ts';
import { isNearer, nearestOf, type Timed } from './nearest.ts';

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

/** Without a common reference a line and a row may be so far apart in time. */
const FIT_MS = 2 * 60_000;
/** After so many lines the event loop has a turn. */
const LINES_AT_ONCE = 1_000;

/** The references of a line that name one movement: a QR's own may be paid several times, a payout's not. */
export const referencesOf = (line: StatementLine): string[] =>
  line.direction === 'OUT' && line.ours ? [line.reference, line.ours] : [line.reference];

/** The digits of an account that are shown, by their place, and these places as a text; an unknown account shows none. */
interface Shown {
  digits: ReadonlyMap<number, string>;
  places: string;
}

function shownOf(account: string | null): Shown {
  const digits = shownDigits(account ?? '');
  return { digits, places: [...digits.keys()].join(' ') };
}

/** The digits at some places: equal for two accounts that do not contradict each other there. */
const digitsAt = ({ digits }: Shown, places: readonly number[]): string =>
  places.map((place) => digits.get(place)).join('');

interface TimedRow extends Timed {
  row: OurRow;
  shown: Shown;
}

type Find = ReturnType<typeof nearestOf<TimedRow>>;

/** Rows whose accounts show the same places: finds those that fit an account, by the digits at the places both show. */
function sameShape(rows: readonly TimedRow[], isFree: (row: TimedRow) => boolean) {
  const shape = rows[0]!.shown;
  /** For each shape of the other side's accounts: the common places, and the rows by their digits there. */
  const shapes = new Map<string, { common: number[]; byDigits: Map<string, Find> }>();
  return (shown: Shown): Find | undefined => {
    let found = shapes.get(shown.places);
    if (!found) {
      const common = [...shape.digits.keys()].filter((place) => shown.digits.has(place));
      const groups = Map.groupBy(rows, (row) => digitsAt(row.shown, common));
      const byDigits = new Map([...groups].map(([digits, group]) => [digits, nearestOf(group, isFree)]));
      found = { common, byDigits };
      shapes.set(shown.places, found);
    }
    return found.byDigits.get(digitsAt(shown, found.common));
  };
}

/** Free rows by direction and amount: finds the one nearest in time whose account does not contradict the line's. */
function byAmount(rows: readonly OurRow[], isFree: (row: OurRow) => boolean) {
  const isTimedFree = ({ row }: TimedRow) => isFree(row);
  const timed = rows.map(
    (row, place): TimedRow => ({
      row,
      place,
      since: row.since.getTime(),
      until: row.until.getTime(),
      shown: shownOf(row.account),
    }),
  );
  const groups = Map.groupBy(timed, ({ row }) => `${row.direction} ${row.amountMinor}`);
  const finders = new Map(
    [...groups].map(([key, group]) => {
      const shapes = Map.groupBy(group, ({ shown }) => shown.places).values();
      return [key, [...shapes].map((shape) => sameShape(shape, isTimedFree))];
    }),
  );
  return (line: StatementLine): OurRow | undefined => {
    const shown = shownOf(line.account);
    const at = line.at.getTime();
    const wanted = { at, from: at - FIT_MS, to: (line.until ?? line.at).getTime() + FIT_MS };
    let best: TimedRow | null = null;
    for (const finder of finders.get(`${line.direction} ${line.amountMinor}`) ?? []) {
      const found = finder(shown)?.(wanted) ?? null;
      if (found && (!best || isNearer(found, best, at))) best = found;
    }
    return best?.row;
  };
}

/** Free rows by direction and reference: finds the first one that a line names. */
function byReference(rows: readonly OurRow[], isFree: (row: OurRow) => boolean) {
  const named = new Map<string, { rows: OurRow[]; next: number }>();
  for (const row of rows)
    for (const reference of row.references) {
      const key = `${row.direction} ${reference}`;
      const group = named.get(key);
      if (group) group.rows.push(row);
      else named.set(key, { rows: [row], next: 0 });
    }
  return (line: StatementLine): OurRow | undefined => {
    for (const reference of referencesOf(line)) {
      const group = named.get(`${line.direction} ${reference}`);
      if (!group) continue;
      while (group.next < group.rows.length && !isFree(group.rows[group.next]!)) group.next += 1;
      if (group.next < group.rows.length) return group.rows[group.next];
    }
    return undefined;
  };
}

/**
 * Pairs lines and rows one to one: by reference first, then by amount, time and what is visible of the account. The work
 * grows with the number of lines and rows, not with its square, and the event loop has a turn now and then.
 */
export async function pair(
  theirs: readonly StatementLine[],
  ours: readonly OurRow[],
): Promise<Map<StatementLine, OurRow>> {
  const pairs = new Map<StatementLine, OurRow>();
  const booked = ours.filter((row) => !row.isOpen);
  const taken = new Set<OurRow>();
  const isFree = (row: OurRow) => !taken.has(row);
  const take = async (find: (line: StatementLine) => OurRow | undefined): Promise<void> => {
    for (const [index, line] of theirs.entries()) {
      if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await new Promise((resume) => setImmediate(resume));
      const row = pairs.has(line) ? undefined : find(line);
      if (!row) continue;
      pairs.set(line, row);
      taken.add(row);
    }
  };
  await take(byReference(booked, isFree));
  await take(byAmount(booked.filter(isFree), isFree));
  return pairs;
}
