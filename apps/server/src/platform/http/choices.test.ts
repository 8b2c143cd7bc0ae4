import { expect, test } from 'vitest';
import { choicesOf } from './choices.ts';

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
