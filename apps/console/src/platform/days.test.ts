import { expect, test } from 'vitest';
import { momentOf, momentText, timesOfDays } from './days.ts';

test('both days are included, from midnight to midnight in Bangkok', () => {
  expect(timesOfDays('2026-11-30', '2026-11-30')).toEqual({
    from: '2026-11-30T00:00:00+07:00',
    to: '2026-12-01T00:00:00+07:00',
  });
  expect(timesOfDays('', '2026-99-99')).toEqual({});
});

test('a range of minutes begins and ends at them', () => {
  expect(timesOfDays('2026-11-30T13:05', '2026-11-30T14:00')).toEqual({
    from: '2026-11-30T13:05:00+07:00',
    to: '2026-11-30T14:00:00+07:00',
  });
  expect(timesOfDays('2026-99-30T13:05', '2026-11-30T25')).toEqual({});
});

test('a day is typed with or without a time', () => {
  expect(momentOf('30/11/2026')).toBe('2026-11-30');
  expect(momentOf('30/11/2569 9:05')).toBe('2026-11-30T09:05');
  expect(momentOf('30/11/2026 23.59')).toBe('2026-11-30T23:59');
  expect(momentOf('30/11/2026 24:00')).toBeNull();
  expect(momentOf('40/11/2026 10:00')).toBeNull();
  expect(momentText('2026-11-30T09:05')).toBe('30/11/2026 09:05');
  expect(momentText('2026-11-30')).toBe('30/11/2026');
});
