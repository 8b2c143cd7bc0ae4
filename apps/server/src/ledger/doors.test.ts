import type { Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { LedgerBusy, LedgerFault, type LedgerItem, type Outcome, verifyLedger } from './index.ts';
import { newReference, openBooks, transfer } from './testing.ts';

const books = await openBooks();
const bank = await books.systemAccount('bank:DOOR', 'BAHT');

const statesOf = (outcomes: readonly Outcome[]): string[] => outcomes.map((outcome) => outcome.state);

/** Wraps a pool so that the first sendings fail: with the response lost after the commit, or before sending. */
function losing(times: number, when: 'after' | 'before'): Pool {
  let left = times;
  const query = async (statement: { name?: string }, values?: unknown[]) => {
    const lost = statement.name === 'ledger_post_batch' && left-- > 0;
    const result =
      lost && when === 'before' ? undefined : await books.app.query(statement as never, values as never);
    if (lost) throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' });
    return result;
  };
  return { query } as unknown as Pool;
}

describe('a batch that fails as a whole', () => {
  const bad: Record<string, Partial<LedgerItem>> = {
    'an attached write that breaks a rule': {
      attached: { name: 'payment_report', row: { id: 'DP1', memberId: 0n, amount: 1n } },
    },
    'a value out of range': {
      attached: { name: 'payment_report', row: { id: 'DP2', memberId: 2n ** 64n, amount: 1n } },
    },
    'an amount past the largest number': {
      legs: [{ from: bank, to: 0n, amountMinor: 9_223_372_036_854_775_807n }],
    },
    'a NUL in its reference': { reference: 'a\0b' },
  };
  test.each(Object.keys(bad))('through %s fails only the culprit', async (name) => {
    const wallet = await books.account({ minor: 100n });
    const other = await books.account();
    const culprit: LedgerItem = { ...transfer(wallet, other, 1n), ...bad[name] };
    if (culprit.legs[0]!.to === 0n) culprit.legs = [{ ...culprit.legs[0]!, to: wallet }];
    const items = Array.from({ length: 40 }, (_, index) =>
      index === 17 ? culprit : transfer(wallet, other, 1n),
    );
    const results = await Promise.allSettled(items.map((item) => books.ledger.post(item)));
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
    expect(failed).toEqual([17]);
    expect([await books.balance(wallet), await books.balance(other)]).toEqual([61n, 39n]);
  });

  test('by a lost response is looked up: posted once, and every caller learns that it was posted', async () => {
    const wallet = await books.account({ minor: 1000n });
    const other = await books.account();
    const ledger = books.anotherLedger({ pool: losing(2, 'after') });
    const items = Array.from({ length: 20 }, () => transfer(wallet, other, 2n, { watch: other }));
    const outcomes = await Promise.all(items.map((item) => ledger.post(item)));
    expect(new Set(statesOf(outcomes))).toEqual(new Set(['posted']));
    const entries = outcomes.map((outcome) => (outcome.state === 'posted' ? outcome.entryId : null));
    expect(new Set(entries).size).toBe(20);
    expect(await books.balance(other)).toBe(40n);
    expect(statesOf(await Promise.all(items.map((item) => ledger.post(item))))).toEqual(
      Array(20).fill('repeated'),
    );
  });

  test('before it was sent is sent again and posts once', async () => {
    const wallet = await books.account({ minor: 1000n });
    const other = await books.account();
    const ledger = books.anotherLedger({ pool: losing(3, 'before') });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => ledger.post(transfer(wallet, other, 2n))),
    );
    expect(statesOf(outcomes)).toEqual(Array(20).fill('posted'));
    expect(await books.balance(other)).toBe(40n);
  });

  test('for good rejects those in it and those behind it, and the next one works', async () => {
    const wallet = await books.account({ minor: 1000n });
    const other = await books.account();
    const ledger = books.anotherLedger({ pool: losing(5, 'before'), batchMax: 1 });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => ledger.post(transfer(wallet, other, 2n))),
    );
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(await books.balance(other)).toBe(0n);
    expect((await ledger.post(transfer(wallet, other, 2n))).state).toBe('posted');
  });
});

describe('the door', () => {
  test('refuses with LedgerBusy what its queue cannot take, and nothing of that is posted', async () => {
    const wallet = await books.account({ minor: 100n });
    const other = await books.account();
    const ledger = books.anotherLedger({ queueMax: 5 });
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => ledger.post(transfer(wallet, other, 1n))),
    );
    const refused = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    expect(refused).toHaveLength(7);
    expect(refused.every((reason) => reason instanceof LedgerBusy)).toBe(true);
    expect(await books.balance(other)).toBe(5n);
    expect((await ledger.post(transfer(wallet, other, 1n))).state).toBe('posted');
  });

  test('once closed finishes what it took and takes nothing more', async () => {
    const wallet = await books.account({ minor: 100n });
    const other = await books.account();
    const ledger = books.anotherLedger({ batchMax: 3 });
    const running = Array.from({ length: 10 }, () => ledger.post(transfer(wallet, other, 1n)));
    await ledger.close();
    await expect(ledger.post(transfer(wallet, other, 1n))).rejects.toBeInstanceOf(LedgerBusy);
    expect(statesOf(await Promise.all(running))).toEqual(Array(10).fill('posted'));
    expect(ledger.waiting()).toBe(0);
  });

  const impossible: [string, (wallet: bigint, coin: bigint, hold: bigint) => LedgerItem][] = [
    ['between assets', (wallet, coin) => transfer(wallet, coin, 1n)],
    ['to itself', (wallet) => transfer(wallet, wallet, 1n)],
    ['of nothing', (wallet) => transfer(wallet, bank, 0n)],
    ['of less than nothing', (wallet) => transfer(wallet, bank, -1n)],
    ['to an unknown account', (wallet) => transfer(wallet, 987_654_321n, 1n)],
    ['into a hold account without a hold', (wallet, _coin, hold) => transfer(wallet, hold, 1n)],
    [
      'into a hold in two legs',
      (wallet, _coin, hold) => ({
        ...transfer(wallet, hold, 1n, { hold: { op: 'open', key: newReference() } }),
        legs: [
          { from: wallet, to: hold, amountMinor: 1n },
          { from: wallet, to: hold, amountMinor: 1n },
        ],
      }),
    ],
    [
      'out of an unknown hold',
      (wallet, _coin, hold) => transfer(hold, wallet, 1n, { hold: { op: 'release', key: newReference() } }),
    ],
  ];
  test.each(impossible)('throws LedgerFault at a move %s', async (_name, build) => {
    const wallet = await books.account({ minor: 100n });
    const coin = await books.account({ kind: 'coin', asset: 'COIN', minor: 10n });
    const hold = await books.account({ kind: 'hold' });
    await expect(books.ledger.post(build(wallet, coin, hold))).rejects.toBeInstanceOf(LedgerFault);
    expect(await books.balance(wallet)).toBe(100n);
  });

  test('posts one reference once when it comes forty times at once', async () => {
    const wallet = await books.account({ minor: 100n });
    const other = await books.account();
    const item = transfer(wallet, other, 7n);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => books.ledger.post(item)));
    expect(statesOf(outcomes).sort()).toEqual(['posted', ...Array(39).fill('repeated')]);
    expect(await books.balance(other)).toBe(7n);
  });
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(books.app)).toEqual([]);
  expect(await books.drift()).toEqual([]);
});
