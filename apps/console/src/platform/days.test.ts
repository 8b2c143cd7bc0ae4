import { expect, test } from 'vitest';
import { timesOfDays } from './days.ts';

test('both days are included, from midnight to midnight in Bangkok', () => {
  expect(timesOfDays('2026-11-30', '2026-11-30')).toEqual({
    from: '2026-11-30T00:00:00+07:00',
    to: '2026-12-01T00:00:00+07:00',
  });
  expect(timesOfDays('', '2026-99-99')).toEqual({});
});
