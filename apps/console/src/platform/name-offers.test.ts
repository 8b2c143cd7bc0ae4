import { expect, test } from 'vitest';
import { namesFor, withName } from './name-offers.ts';

const NAMES = ['demo-finance', 'demo-finance-lead', 'lead'];

test('names are offered for what is typed behind an @ at the end', () => {
  expect(namesFor(NAMES, 'ask @')).toEqual(NAMES);
  expect(namesFor(NAMES, 'ask @lead')).toEqual(['demo-finance-lead']);
  expect(namesFor(NAMES, 'ask @le')).toEqual(['lead', 'demo-finance-lead']);
  expect(namesFor(NAMES, 'ask @lead about it')).toEqual([]);
  expect(namesFor(NAMES, 'som@lead')).toEqual([]);
  expect(namesFor(NAMES, 'nothing')).toEqual([]);
});

test('a chosen name replaces what was typed of it', () => {
  expect(withName('ask @de', 'demo-finance')).toBe('ask @demo-finance ');
});
