import { describe, expect, test } from 'vitest';
import {
  creditsBought,
  depositRange,
  isOpenRange,
  movableOut,
  offeredAmounts,
  rangeProblem,
  transferRange,
  withdrawRange,
} from './amount-range.ts';
import type { Slot, WalletReply } from './wallet-merge.ts';

const slot = (figures: Partial<Slot>) =>
  ({ isActive: true, staleSince: null, amount: 0, ftWalletSlot: 1, ...figures }) as Slot;
const wallet = (amount: number, slots: Slot[] = [], currency: 'BAHT' | 'LAK' = 'BAHT') =>
  ({ wallet: { amount, currency, version: 1 }, slots }) as unknown as WalletReply;
const LIMITS = { withdrawMin: 100, withdrawMax: 50_000 } as Parameters<typeof withdrawRange>[1];

describe('a withdrawal', () => {
  test.each([
    // wallet, games, available, most, bound
    [300, [], 300, 300, 'balance'],
    [60_000, [], 60_000, 50_000, 'rule'],
    [50_000, [], 50_000, 50_000, 'rule'],
    [30, [slot({ amount: 70 })], 100, 100, 'balance'],
    [30, [slot({ amount: 70, isActive: false })], 30, 30, 'balance'],
    [30, [slot({ amount: 70, staleSince: '2026-11-20T00:00:00.000Z' })], 30, 30, 'balance'],
    [30, [slot({ amount: 7.95, ftWalletSlot: 10, creditStep: 1 })], 100, 100, 'balance'],
    [0.1, [slot({ amount: 0.2 })], 0.3, 0.3, 'balance'],
  ] as const)(
    'of %s in the wallet and %o goes up to what is there',
    (amount, games, available, most, bound) => {
      expect(withdrawRange(wallet(amount, [...games]), LIMITS)).toEqual({
        available,
        least: 100,
        most,
        bound,
      });
    },
  );

  test('is not open with less than the least', () => {
    expect(isOpenRange(withdrawRange(wallet(99.99), LIMITS))).toBe(false);
    expect(isOpenRange(withdrawRange(wallet(100), LIMITS))).toBe(true);
  });
});

describe('a transfer', () => {
  const game = slot({ amount: 250 });
  const dear = slot({ amount: 12.5, ftWalletSlot: 700, creditStep: 1, leastIn: 700 });

  test.each([
    ['from the wallet', null, game, 1, 1000],
    ['into a game of whole credits', null, dear, 700, 1000],
    ['out of a game', game, null, 1, 250],
    ['out of a game of whole credits', dear, null, 700, 8400],
    ['between games', game, dear, 700, 250],
    ['of little', slot({ amount: 0.6 }), null, 0.6, 0.6],
    ['of nothing', slot({}), null, 1, 0],
  ] as const)('%s', (_name, from, to, least, most) => {
    expect(transferRange(wallet(1000), from, to)).toEqual({ least, most, bound: 'balance' });
  });

  test('of kip is at least one kip', () => {
    expect(transferRange(wallet(1000, [], 'LAK'), null, slot({}))).toMatchObject({ least: 1, most: 1000 });
  });

  test('buys and moves the credits that the provider takes', () => {
    expect([creditsBought(dear, 1500, 'BAHT'), creditsBought(slot({ ftWalletSlot: 3 }), 10, 'BAHT')]).toEqual(
      [2, 3.33],
    );
    expect([movableOut(dear, 'BAHT'), movableOut(slot({ amount: 1.05 }), 'LAK')]).toEqual([8400, 1]);
  });
});

test.each([
  [{ minimum: 20, maximum: 2_000_000 }, { left: null }, 20, 2_000_000, 'rule'],
  [{ minimum: null, maximum: 2_000_000 }, {}, 1, 2_000_000, 'rule'],
  [{ minimum: 100, maximum: 2_000_000 }, { left: 250 }, 100, 250, 'limit'],
  [{ minimum: 100, maximum: 200 }, { left: 250 }, 100, 200, 'rule'],
  [{ minimum: 20 }, { left: null }, 20, Number.POSITIVE_INFINITY, 'rule'],
] as const)('a QR of %o with %o', (bank, own, least, most, bound) => {
  expect(depositRange(bank, own)).toEqual({ least, most, bound });
});

describe('what is offered and advised', () => {
  const range = { least: 100, most: 700, bound: 'balance' } as const;

  test('is within the range, the last amount first and once', () => {
    expect(offeredAmounts([50, 100, 500, 1000], null, range)).toEqual([100, 500]);
    expect(offeredAmounts([100, 500, 1000], 500, range)).toEqual([500, 100]);
    expect(offeredAmounts([100, 500], 900, range)).toEqual([100, 500]);
  });

  test.each([99.99, 0.01, 700.01, 1e9])('passes when it is followed: %s', (amount) => {
    const problem = rangeProblem(amount, range);
    const sign = problem?.side === 'low' ? 1 : -1;
    const next = Math.round((amount + sign * (problem?.off ?? 0)) * 100) / 100;
    expect(rangeProblem(next, range)).toBeNull();
  });

  test('is nothing for an amount within', () => {
    expect([rangeProblem(100, range), rangeProblem(700, range)]).toEqual([null, null]);
  });
});
