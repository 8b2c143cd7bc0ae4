import { expect, test } from 'vitest';
import { isTied } from './tie.ts';

const rows = [
  { currency: 'BAHT', net: 0.1 },
  { currency: 'BAHT', net: 0.2 },
  { currency: 'BAHT', net: -1500.35 },
  { currency: 'LAK', net: -20_000 },
];

test('rows tie to the ledger to the satang, each currency by itself, also when more was paid out than received', () => {
  expect(isTied(rows, 'net', { currency: 'BAHT', amount: -1500.05 })).toBe(true);
  expect(isTied(rows, 'net', { currency: 'LAK', amount: -20_000 })).toBe(true);
});

test('reports a difference of a satang, a lost sign and a missing row', () => {
  for (const amount of [-1500.04, 1500.05, -1500.35, 0])
    expect(isTied(rows, 'net', { currency: 'BAHT', amount })).toBe(false);
});
