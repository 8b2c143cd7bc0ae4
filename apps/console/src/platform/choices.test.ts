import { expect, test } from 'vitest';
import { choicesIn, choicesText, withChoice } from './choices.ts';

test('values are read and written as the operator API takes them', () => {
  const choices = [
    { value: 'vip', isLeftOut: false },
    { value: 'calls, often!', isLeftOut: true },
  ];
  const text = choicesText(choices);
  expect(text).toBe('vip,!calls%2C%20often%21');
  expect(choicesIn(text)).toEqual(choices);
  expect(choicesIn('')).toEqual([]);
  expect(choicesIn('%')).toEqual([{ value: '%', isLeftOut: false }]);
});

test('a value is added, turned round, and removed', () => {
  const wanted = { value: 'A', isLeftOut: false };
  const leftOut = { value: 'A', isLeftOut: true };
  expect(withChoice([], wanted)).toEqual([wanted]);
  expect(withChoice([wanted], leftOut)).toEqual([leftOut]);
  expect(withChoice([leftOut], leftOut)).toEqual([]);
});
