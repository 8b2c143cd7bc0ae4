import { expect, test } from 'vitest';
import { dayOf, dayText, timesOfDays } from './days.ts';

test('a day is typed as people write it, with or without strokes, in either calendar', () => {
  for (const typed of ['21/11/2026', '21112026', ' 21-11-2026 ', '21.11.2026', '21/11/2569'])
    expect([typed, dayOf(typed)]).toEqual([typed, '2026-11-21']);
  expect(dayOf('1/2/2026')).toBe('2026-02-01');
  for (const typed of ['', '31/02/2026', '11/21/2026', '21/11/26', 'today']) expect(dayOf(typed)).toBeNull();
});

test('days are shown as they are typed', () => {
  expect(dayText('2026-11-01')).toBe('01/11/2026');
  expect(dayText('nonsense')).toBe('');
});

test('both days are included, from midnight to midnight in Bangkok', () => {
  expect(timesOfDays('2026-11-30', '2026-11-30')).toEqual({
    from: '2026-11-30T00:00:00+07:00',
    to: '2026-12-01T00:00:00+07:00',
  });
  expect(timesOfDays('', '2026-99-99')).toEqual({});
});
