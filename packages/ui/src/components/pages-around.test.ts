import { expect, test } from 'vitest';
import { pagesAround } from './pages-around.ts';

test.each([
  [1, 9, [1, 2]],
  [5, 9, [2, 3, 4, 5, 6]],
  [9, 9, [6, 7, 8, 9]],
  [1, 1, [1]],
])('page %i of %i offers three before and one after', (page, count, expected) => {
  expect(pagesAround(page, count)).toEqual(expected);
});
