import { expect, test } from 'vitest';
import { filterOf, searchOf } from './filter.ts';

test('a filter is restored from its address', () => {
  const filter = { type: 'bonus', status: 'IN_PROGRESS', from: '2026-01-31', to: '2026-02-28' } as const;
  expect(filterOf(searchOf(filter))).toEqual(filter);
  expect(searchOf({})).toBe('');
  expect(filterOf('')).toEqual({});
});

test.each([
  '?type=gift',
  '?status=PENDING',
  '?from=2026-02-30',
  '?to=31/01/2026',
  '?page=7',
  '?type=&status=&from=',
])('%s names no filter', (search) => {
  expect(filterOf(search)).toEqual({});
});
