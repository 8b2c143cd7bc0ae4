import { expect, test } from 'vitest';
import { type Draft, draftOf, type Terms, termsOf } from './draft.ts';

const texts = { th: 'ก', la: 'ກ', en: 'a' };
const TERMS: Terms = {
  code: 'SPRING',
  kind: 'bonus',
  currency: 'BAHT',
  title: texts,
  description: texts,
  banners: [{ image: '/media/x.jpg', html: texts }],
  award: { percent: 50, most: 500 },
  deposit: { least: 100, most: null },
  successPercent: 200,
  failPercent: 10,
  turnoverTimes: 1.5,
  games: { betflix: 100 },
  withdrawMost: 5000,
  days: 30,
  countBy: 'day',
  maxReceived: 2,
  quota: null,
  codes: 'shared',
  isOpen: true,
  startsAt: '2026-11-30T17:00:00.000Z',
  endsAt: null,
};

test.each([
  TERMS,
  { ...TERMS, award: { fixed: 50 }, deposit: null, successPercent: 0, countBy: 'limit' as const },
])('what is laid out and written back is the same', (terms) => {
  expect(termsOf(draftOf(terms))).toEqual(terms);
});

test('shows times as Bangkok’s clocks do', () => {
  expect(draftOf(TERMS).startsAt).toBe('2026-12-01T00:00');
});

const written = (change: Partial<Draft>) => termsOf({ ...draftOf(TERMS), ...change });

test.each<[string, Partial<Draft>]>([
  ['no code', { code: '' }],
  ['a title missing', { title: { ...texts, la: ' ' } }],
  ['no figure', { percent: null }],
  ['a target below what was put in', { successPercent: 100 }],
  ['a floor as high as the base', { failPercent: 100 }],
  ['percent of no deposit', { depositLeast: null }],
  ['no game allowed', { games: {} }],
  ['no game whose bets count', { games: { betflix: 0 } }],
])('is incomplete with %s', (_name, change) => {
  expect(written(change)).toBe(null);
});

test('a bonus that is stopped needs no game, and bets count for nothing without a turnover', () => {
  expect(written({ games: {}, isOpen: false })).not.toBe(null);
  expect(written({ games: { betflix: 0 }, turnoverTimes: 0 })).not.toBe(null);
});

test('a promotion is received once, and percent always requires a deposit', () => {
  expect(written({ kind: 'promotion' })).toMatchObject({ countBy: 'limit', maxReceived: 1 });
  expect(written({ needsDeposit: false })?.deposit).toEqual({ least: 100, most: null });
  expect(written({ award: 'fixed', fixed: 20, needsDeposit: false })).toMatchObject({
    award: { fixed: 20 },
    deposit: null,
  });
});
