import { expect, test } from 'vitest';
import { fromClock, toClock } from './clock-text.ts';

test('a field shows Bangkok’s clocks wherever the operator sits, and gives the same moment back', () => {
  expect(toClock('2026-12-31T17:30:00.000Z')).toBe('2027-01-01T00:30');
  expect(fromClock('2027-01-01T00:30')).toBe('2026-12-31T17:30:00.000Z');
  expect([toClock(null), fromClock('')]).toEqual(['', null]);
});
