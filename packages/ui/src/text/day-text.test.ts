import { expect, test } from 'vitest';
import { dayOf, daysLater, dayText, monthsLater, weeksOf, withSlashes } from './day-text.ts';

test.each([
  ['23/11/2026', '2026-11-23'],
  ['1/2/2026', '2026-02-01'],
  ['23112026', '2026-11-23'],
  ['23.11.2026', '2026-11-23'],
  ['23/11/2569', '2026-11-23'],
  ['31/02/2026', null],
  ['2026-11-23', null],
  ['23/11', null],
])('%s is %s', (typed, day) => {
  expect(dayOf(typed)).toBe(day);
});

test.each([
  ['23', '23'],
  ['231', '23/1'],
  ['23/112', '23/11/2'],
  ['23112026', '23/11/2026'],
  ['1/2', '1/2'],
])('while it is typed, %s reads %s', (typed, text) => {
  expect(withSlashes(typed)).toBe(text);
});

test('a day is read in one order everywhere', () => {
  expect(dayText('2026-11-23')).toBe('23/11/2026');
  expect(dayText('')).toBe('');
});

test('days and months are counted over their ends', () => {
  expect(daysLater('2026-12-31', 1)).toBe('2027-01-01');
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28');
  expect(monthsLater('2026-01-31', -2)).toBe('2025-11-30');
});

test('a month has whole weeks, its own days only', () => {
  const weeks = weeksOf('2026-11-23');
  expect(weeks).toHaveLength(5);
  expect(weeks[0]![0]).toBe('2026-11-01');
  expect(weeks[4]).toEqual(['2026-11-29', '2026-11-30', null, null, null, null, null]);
  expect(weeksOf('2026-02-10').flat().filter(Boolean)).toHaveLength(28);
});
