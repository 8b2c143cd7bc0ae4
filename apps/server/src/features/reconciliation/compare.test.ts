import { describe, expect, test } from 'vitest';
import type { StatementLine } from '../../outside/index.ts';
import { compare } from './compare.ts';
import { addDays, dayAt, earliest, spanOf } from './days.ts';
import type { OurRow } from './pairing.ts';

const DAY = spanOf('2026-03-01')!;
const at = (minutes: number) => new Date(DAY.from.getTime() + minutes * 60_000);
const line = (reference: string, more: Partial<StatementLine> = {}): StatementLine => ({
  reference,
  ours: null,
  direction: 'IN',
  amountMinor: 10_000n,
  at: at(60),
  account: 'xxx-x-x6789-x',
  ...more,
});
const row = (reference: string, more: Partial<OurRow> = {}): OurRow => ({
  subject: `deposit:${reference}`,
  references: [reference],
  direction: 'IN',
  amountMinor: 10_000n,
  since: at(60),
  until: at(60),
  memberId: 1n,
  account: 'xxx-x-x6789-x',
  ...more,
});
const kinds = async (theirs: StatementLine[], ours: OurRow[]) =>
  (await compare(theirs, ours, DAY)).differences.map(({ kind, mark }) => `${kind} ${mark}`);

test('a day in Bangkok begins and ends at 17:00 UTC, half-open', () => {
  expect(DAY).toEqual({ from: new Date('2026-02-28T17:00:00Z'), to: new Date('2026-03-01T17:00:00Z') });
  expect(spanOf('2026-02-30')).toBeNull();
  expect([dayAt(DAY.from), dayAt(new Date(DAY.from.getTime() - 1))]).toEqual(['2026-03-01', '2026-02-28']);
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
});

test('the earliest of 200,000 times is found', () => {
  const times = Array.from({ length: 200_000 }, (_, index) => at(index % 700));
  expect(earliest([at(9), ...times], at(5))).toEqual(at(0));
  expect(earliest([at(9)], at(5))).toEqual(at(5));
});

test('equal references agree; a lonely line, a lonely row and another amount are one difference each', async () => {
  expect(await kinds([line('A')], [row('A')])).toEqual([]);
  expect(await kinds([line('A'), line('B')], [row('A')])).toEqual(['MISSING_OURS theirs IN B 10000']);
  expect(await kinds([line('A')], [row('A'), row('B', { until: at(90), since: at(90) })])).toEqual([
    'MISSING_THEIRS ours deposit:B 10000',
  ]);
  expect(await kinds([line('A', { amountMinor: 10_100n })], [row('A')])).toEqual([
    'AMOUNT amount IN A 10100 10000',
  ]);
});

test('a repeated statement line is explained by one row only, and each further one is a difference of its own', async () => {
  expect(await kinds([line('A'), line('A'), line('A')], [row('A')])).toEqual([
    'MISSING_OURS theirs IN A 10000',
    'MISSING_OURS theirs IN A 10000 #2',
  ]);
});

test('lines without a reference are distinct by their time, their account and their day', async () => {
  const lines = [
    line('-', { at: at(60) }),
    line('-', { at: at(180) }),
    line('-', { at: at(180), account: 'xxx-x-x1111-x' }),
    line('-', { at: at(0), until: at(1439) }),
  ];
  const marks = await kinds(lines, []);
  expect(new Set(marks).size).toBe(4);
  // What is explained of one stays so, whatever comes or goes beside it.
  for (const [index, one] of lines.entries()) expect(await kinds([one], [])).toEqual([marks[index]]);
});

test('other references meet by amount, two minutes and visible digits, one to one', async () => {
  expect(await kinds([line('A', { at: at(62) })], [row('B')])).toEqual([]);
  expect(await kinds([line('A', { at: at(63) })], [row('B')])).toHaveLength(2);
  expect(await kinds([line('A', { account: 'xxx-x-x1111-x' })], [row('B')])).toHaveLength(2);
  expect(await kinds([line('A', { direction: 'OUT' })], [row('B')])).toHaveLength(2);
  expect(await kinds([line('A'), line('C')], [row('B')])).toHaveLength(1);
});

test('a payout is found by our reference, any time between its sending and our learning of it', async () => {
  const paid = row('WD1', { direction: 'OUT', since: at(-5), until: at(5), account: null });
  const theirs = line('T1', { direction: 'OUT', ours: 'WD1', at: at(-4) });
  expect(await kinds([theirs], [paid])).toEqual([]);
  // Paid a minute before midnight, received after it: agrees on either day, and counts for the bank's day.
  expect((await compare([theirs], [paid], DAY)).theirs.count).toBe(0);
  const before = spanOf('2026-02-28')!;
  expect(await compare([theirs], [paid], before)).toMatchObject({
    differences: [],
    ours: { outMinor: 10_000n },
  });
});

test('what is only known explains nothing, and shows where to look', async () => {
  const doubt = row('A', { subject: 'doubt:7', isOpen: true });
  const { differences, ours } = await compare([line('A')], [doubt], DAY);
  expect(differences).toMatchObject([{ kind: 'MISSING_OURS', ours: { subject: 'doubt:7' } }]);
  expect(ours.count).toBe(0);
});

test('a line that names only its day meets any row of that day, and none of the days beside it', async () => {
  const ofDay = line('A', { at: DAY.from, until: new Date(DAY.to.getTime() - 1) });
  const late = row('B', { since: at(1430), until: at(1430) });
  expect(await kinds([ofDay], [late])).toEqual([]);
  expect(await kinds([ofDay], [row('C', { since: at(1460), until: at(1460) })])).toEqual([
    'MISSING_OURS theirs IN A 10000',
  ]);
  // Also where only the rest of the day is compared.
  const noon = { from: at(720), to: DAY.to };
  expect(await compare([ofDay], [late], noon)).toMatchObject({ differences: [], theirs: { count: 1 } });
});

test('of several rows that fit, the nearest in time is paired, and of equally near ones the first', async () => {
  const after = row('B', { since: at(61), until: at(61) });
  const near = row('C', { since: at(60.5), until: at(60.5) });
  const before = row('D', { since: at(59), until: at(59) });
  const left = async (ours: OurRow[]) => (await kinds([line('A')], ours)).map((text) => text.split(' ')[2]);
  expect(await left([after, near, before])).toEqual(['deposit:B', 'deposit:D']);
  expect(await left([after, before])).toEqual(['deposit:D']);
  expect(await left([before, after])).toEqual(['deposit:B']);
  const twin = row('E', { since: at(59), until: at(59) });
  expect(await left([twin, before])).toEqual(['deposit:D']);
});

test('what is only known is found by any of a line’s references, the first of our rows first', async () => {
  const [first, second] = ['WD1', 'T1'].map((reference) =>
    row(reference, { subject: `doubt:${reference}`, direction: 'OUT', isOpen: true }),
  );
  const theirs = line('T1', { direction: 'OUT', ours: 'WD1' });
  const { differences } = await compare([theirs], [first!, second!], DAY);
  expect(differences).toMatchObject([{ ours: { subject: 'doubt:WD1' } }]);
});

describe('20,000 lines and rows without a common reference', () => {
  const COUNT = 20_000;
  /** Rows that count how often one of their times or their account is read. */
  const counted = (make: (index: number) => OurRow) => {
    const reads = { count: 0 };
    const rows = Array.from({ length: COUNT }, (_, index) => {
      const one = make(index);
      const read = <Value>(value: Value) => ({
        get: () => {
          reads.count += 1;
          return value;
        },
      });
      return Object.defineProperties(
        { ...one },
        { since: read(one.since), until: read(one.until), account: read(one.account) },
      );
    });
    return { reads, rows };
  };
  const lines = (more: (index: number) => Partial<StatementLine>) =>
    Array.from({ length: COUNT }, (_, index) => line(`T${index}`, more(index)));

  test('of one amount and minute are paired with a few reads of each row', async () => {
    const { reads, rows } = counted((index) => row(`D${index}`, { since: at(60), until: at(60) }));
    const { differences } = await compare(
      lines(() => ({})),
      rows,
      DAY,
    );
    expect(differences).toEqual([]);
    expect(reads.count).toBeLessThan(10 * COUNT);
  });

  test('of one amount and other accounts do not meet, after a few reads of each row', async () => {
    const digits = (index: number) => String(index).padStart(5, '0');
    const { reads, rows } = counted((index) => row(`D${index}`, { account: `xxx-x-x1${digits(index)}-x` }));
    const theirs = lines((index) => ({ account: `xxx-x-x2${digits(index)}-x` }));
    const { differences } = await compare(theirs, rows, DAY);
    expect(differences).toHaveLength(2 * COUNT);
    expect(reads.count).toBeLessThan(10 * COUNT);
  });
});
