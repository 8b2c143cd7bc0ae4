import { expect, test } from 'vitest';
import { compilePart } from './catalogues.ts';
import { cataloguesProblems } from './check-catalogues.ts';

test('the three catalogues agree with each other, with the code and with the list of codes', () => {
  expect(cataloguesProblems()).toEqual([]);
});

test('a figure and its word cannot be parted', () => {
  expect(compilePart('th', 'rest')).toContain('\\u00a0นาที'.replace('\\u00a0', '\u00a0'));
});
