import { expect, test } from 'vitest';
import { coveredDays, nextDue } from './periods.ts';

const at = (text: string) => new Date(`${text}:00+07:00`);

test('a report is next sent at six: tomorrow, on Monday, or on the first of the next month', () => {
  // 26/11/2026 is a Thursday.
  expect(nextDue('DAY', at('2026-11-26T05:59'))).toEqual(at('2026-11-26T06:00'));
  expect(nextDue('DAY', at('2026-11-26T06:00'))).toEqual(at('2026-11-27T06:00'));
  expect(nextDue('WEEK', at('2026-11-26T12:00'))).toEqual(at('2026-11-30T06:00'));
  expect(nextDue('WEEK', at('2026-11-30T06:00'))).toEqual(at('2026-12-07T06:00'));
  expect(nextDue('WEEK', at('2026-11-29T23:00'))).toEqual(at('2026-11-30T06:00'));
  expect(nextDue('MONTH', at('2026-12-31T12:00'))).toEqual(at('2027-01-01T06:00'));
  expect(nextDue('MONTH', at('2027-01-31T12:00'))).toEqual(at('2027-02-01T06:00'));
  expect(nextDue('MONTH', at('2027-02-01T05:00'))).toEqual(at('2027-02-01T06:00'));
});

test('a report covers the last whole day, week or month', () => {
  const days = (from: string, to: string) => ({ from, to });
  expect(coveredDays('DAY', at('2026-11-26T06:00'))).toEqual(days('2026-11-25', '2026-11-25'));
  expect(coveredDays('WEEK', at('2026-11-30T06:00'))).toEqual(days('2026-11-23', '2026-11-29'));
  expect(coveredDays('WEEK', at('2026-12-02T15:00'))).toEqual(days('2026-11-23', '2026-11-29'));
  expect(coveredDays('MONTH', at('2027-03-01T06:00'))).toEqual(days('2027-02-01', '2027-02-28'));
});
