import { expect, test } from 'vitest';
import { newerWallet, slotWorth, totals, type WalletReply, withEvent, withGames } from './wallet-merge.ts';

const slot = (code: string, amount: number, ftWalletSlot: number, isActive = true) =>
  ({ code, amount, ftWalletSlot, isActive }) as WalletReply['slots'][number];

const wallet = (amount: number, version: number, slots: WalletReply['slots'] = []) =>
  ({
    profile: { _id: 'm1' },
    wallet: { amount, currency: 'BAHT', version },
    slots,
  }) as unknown as WalletReply;

test('the newer balance wins, whether it came as an event or as an answer', () => {
  expect(withEvent(wallet(10, 3), { amount: 20, version: 4 }).wallet.amount).toBe(20);
  expect(withEvent(wallet(10, 3), { amount: 5, version: 2 }).wallet.amount).toBe(10);
  expect(newerWallet(wallet(20, 4), wallet(10, 3)).wallet.amount).toBe(20);
  expect(newerWallet(wallet(20, 4), wallet(30, 5)).wallet.amount).toBe(30);
});

test('totals add what opened games are worth, without the drift of fractions', () => {
  const known = wallet(0.1, 1, [slot('a', 0.2, 1), slot('b', 12.5, 10), slot('c', 99, 1, false)]);
  expect(totals(known)).toEqual({ total: 125.3, wallet: 0.1, games: 125.2 });
  expect(slotWorth(slot('a', 1.1, 3), 'BAHT')).toBe(3.3);
});

test('what is on its way to a game counts until the wallet is read again', () => {
  const sent = withEvent(wallet(10, 1, [slot('a', 5, 1)]), { amount: 6, version: 2, onTheWay: 4 });
  expect(totals(sent)).toEqual({ total: 15, wallet: 6, games: 9 });
  const again = withEvent(sent, { amount: 5, version: 3, onTheWay: 1 });
  expect(totals(again)).toEqual({ total: 15, wallet: 5, games: 10 });
  expect(totals(newerWallet(again, wallet(5, 3, [slot('a', 10, 1)]))).total).toBe(15);
});

test('a game is never worth more than can be moved out of it', () => {
  expect(slotWorth(slot('a', 5, 0.333333), 'BAHT')).toBe(1.66);
  expect(slotWorth(slot('a', 0.05, 1), 'LAK')).toBe(0);
  expect(slotWorth(slot('a', 1.05, 700), 'LAK')).toBe(735);
  expect(slotWorth(slot('a', 0.03, 0.5), 'BAHT')).toBe(0.01);
  // As figures of a game they are binary fractions, which lie now above and now below.
  for (let hundredths = 0; hundredths < 20_000; hundredths++)
    expect(slotWorth(slot('a', hundredths / 100, 1), 'BAHT')).toBe(hundredths / 100);
  const known = wallet(0.1, 1, [slot('a', 5, 0.333333), slot('b', 5, 0.333333)]);
  expect(totals(known)).toEqual({ total: 3.42, wallet: 0.1, games: 3.32 });
});

test('a silent game keeps its old figure, marked old', () => {
  const known = wallet(0, 1, [slot('a', 5, 1), slot('b', 6, 1)]);
  const requested = {
    slots: [
      { code: 'a', amount: 7, openBets: 2, ok: true, staleSince: null },
      { code: 'b', amount: 0, openBets: 0, ok: false, staleSince: '2026-11-20T00:00:00.000Z' },
    ],
    lastSync: '2026-11-21T00:00:00.000Z',
  };
  expect(withGames(known, requested).slots).toMatchObject([
    { amount: 7, openBets: 2, staleSince: null },
    { amount: 6, staleSince: '2026-11-20T00:00:00.000Z' },
  ]);
});
