import { expect, test } from 'vitest';
import { choicesOf, chosenOf, oneOrSeveral } from './choices.ts';

test('values are taken together, and those behind an exclamation mark are left out', () => {
  expect(choicesOf(undefined)).toEqual({ only: null, not: [] });
  expect(choicesOf('')).toEqual({ only: null, not: [] });
  expect(choicesOf('A,B')).toEqual({ only: ['A', 'B'], not: [] });
  expect(choicesOf('!A,!B')).toEqual({ only: null, not: ['A', 'B'] });
  expect(choicesOf('A,!B')).toEqual({ only: ['A'], not: ['B'] });
});

test('a name of several values matches all of them, and values are decoded', () => {
  const groups = { OPEN: ['QUEUED', 'REVIEW'] };
  expect(choicesOf('OPEN,DONE', groups)).toEqual({ only: ['QUEUED', 'REVIEW', 'DONE'], not: [] });
  expect(choicesOf('!OPEN', groups)).toEqual({ only: null, not: ['QUEUED', 'REVIEW'] });
  expect(choicesOf('a%2Cb,!c%21')).toEqual({ only: ['a,b'], not: ['c!'] });
  expect(choicesOf('__proto__,!constructor')).toEqual({ only: ['__proto__'], not: ['constructor'] });
  for (const wrong of ['%', '%2', 'A,!%00']) expect(() => choicesOf(wrong)).toThrow('encoded wrongly');
});

test('of a closed set the values that a filter leaves are listed, in the order of the set', () => {
  const states = ['A', 'B', 'C'] as const;
  expect(chosenOf(undefined, states)).toBeNull();
  expect(chosenOf('C,A', states)).toEqual(['A', 'C']);
  expect(chosenOf('!B', states)).toEqual(['A', 'C']);
  expect(chosenOf('A,B,!B', states)).toEqual(['A']);
  expect(chosenOf('A,!A', states)).toEqual([]);
});

test('one value is compared by equality, none or several as a list', () => {
  expect(oneOrSeveral(null)).toEqual({ one: null, several: null });
  expect(oneOrSeveral(['A'])).toEqual({ one: 'A', several: null });
  expect(oneOrSeveral([])).toEqual({ one: null, several: [] });
  expect(oneOrSeveral(['A', 'B'])).toEqual({ one: null, several: ['A', 'B'] });
});
