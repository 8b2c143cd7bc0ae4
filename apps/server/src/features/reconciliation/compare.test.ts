import { expect, test } from 'vitest';
import type { StatementLine } from '../../outside/index.ts';
import { compare, type OurRow } from './compare.ts';
import { addDays, dayAt, spanOf } from './days.ts';

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
const kinds = (theirs: StatementLine[], ours: OurRow[]) =>
  compare(theirs, ours, DAY).differences.map(({ kind, mark }) => `${kind} ${mark}`);

test('a day in Bangkok begins and ends at 17:00 UTC, half-open', () => {
  expect(DAY).toEqual({ from: new Date('2026-02-28T17:00:00Z'), to: new Date('2026-03-01T17:00:00Z') });
  expect(spanOf('2026-02-30')).toBeNull();
  expect([dayAt(DAY.from), dayAt(new Date(DAY.from.getTime() - 1))]).toEqual(['2026-03-01', '2026-02-28']);
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
});

test('equal references agree; a lonely line, a lonely row and another amount are one difference each', () => {
  expect(kinds([line('A')], [row('A')])).toEqual([]);
  expect(kinds([line('A'), line('B')], [row('A')])).toEqual(['MISSING_OURS theirs IN B 10000']);
  expect(kinds([line('A')], [row('A'), row('B', { until: at(90), since: at(90) })])).toEqual([
    'MISSING_THEIRS ours deposit:B 10000',
  ]);
  expect(kinds([line('A', { amountMinor: 10_100n })], [row('A')])).toEqual([
    'AMOUNT amount IN A 10100 10000',
  ]);
});

test('a repeated statement line is explained by one row only, and each further one is a difference of its own', () => {
  expect(kinds([line('A'), line('A'), line('A')], [row('A')])).toEqual([
    'MISSING_OURS theirs IN A 10000',
    'MISSING_OURS theirs IN A 10000 #2',
  ]);
});

test('lines without a reference are distinct by their time, their account and their day', () => {
  const lines = [
    line('-', { at: at(60) }),
    line('-', { at: at(180) }),
    line('-', { at: at(180), account: 'xxx-x-x1111-x' }),
    line('-', { at: at(0), until: at(1439) }),
  ];
  const marks = kinds(lines, []);
  expect(new Set(marks).size).toBe(4);
  // What is explained of one stays so, whatever comes or goes beside it.
  for (const [index, one] of lines.entries()) expect(kinds([one], [])).toEqual([marks[index]]);
});

test('other references meet by amount, two minutes and visible digits, one to one', () => {
  expect(kinds([line('A', { at: at(62) })], [row('B')])).toEqual([]);
  expect(kinds([line('A', { at: at(63) })], [row('B')])).toHaveLength(2);
  expect(kinds([line('A', { account: 'xxx-x-x1111-x' })], [row('B')])).toHaveLength(2);
  expect(kinds([line('A', { direction: 'OUT' })], [row('B')])).toHaveLength(2);
  expect(kinds([line('A'), line('C')], [row('B')])).toHaveLength(1);
});

test('a payout is found by our reference, any time between its sending and our learning of it', () => {
  const paid = row('WD1', { direction: 'OUT', since: at(-5), until: at(5), account: null });
  const theirs = line('T1', { direction: 'OUT', ours: 'WD1', at: at(-4) });
  expect(kinds([theirs], [paid])).toEqual([]);
  // Paid a minute before midnight, received after it: agrees on either day, and counts for the bank's day.
  expect(compare([theirs], [paid], DAY).theirs.count).toBe(0);
  const before = spanOf('2026-02-28')!;
  expect(compare([theirs], [paid], before)).toMatchObject({ differences: [], ours: { outMinor: 10_000n } });
});

test('what is only known explains nothing, and shows where to look', () => {
  const doubt = row('A', { subject: 'doubt:7', isOpen: true });
  const { differences, ours } = compare([line('A')], [doubt], DAY);
  expect(differences).toMatchObject([{ kind: 'MISSING_OURS', ours: { subject: 'doubt:7' } }]);
  expect(ours.count).toBe(0);
});

test('a line that names only its day meets any row of that day, and none of the days beside it', () => {
  const ofDay = line('A', { at: DAY.from, until: new Date(DAY.to.getTime() - 1) });
  const late = row('B', { since: at(1430), until: at(1430) });
  expect(kinds([ofDay], [late])).toEqual([]);
  expect(kinds([ofDay], [row('C', { since: at(1460), until: at(1460) })])).toEqual([
    'MISSING_OURS theirs IN A 10000',
  ]);
  // Also where only the rest of the day is compared.
  const noon = { from: at(720), to: DAY.to };
  expect(compare([ofDay], [late], noon)).toMatchObject({ differences: [], theirs: { count: 1 } });
});
