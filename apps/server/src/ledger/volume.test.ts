import { toMinor } from '@krapao/contract/shared';
import { describe, expect, test } from 'vitest';
import { type Outcome, verifyLedger } from './index.ts';
import { newMember, newReference, openBooks, transfer } from './testing.ts';

const books = await openBooks({ queueMax: 20_000 });
const bank = await books.systemAccount('bank:VOLUME', 'BAHT');
const issue = await books.systemAccount('coin_issue', 'COIN');

const count = (outcomes: readonly Outcome[], state: Outcome['state']): number =>
  outcomes.filter((outcome) => outcome.state === state).length;

/** A hold of 40 on a wallet of 100. */
async function openHold() {
  const memberId = newMember();
  const wallet = await books.account({ memberId, minor: 100n });
  const hold = await books.account({ memberId, kind: 'hold' });
  const key = newReference();
  await books.ledger.post(transfer(wallet, hold, 40n, { hold: { op: 'open', key } }));
  return { wallet, hold, key };
}

describe('a hold', () => {
  test('is closed once when forty come to close it, posted and released, through two doors at once', async () => {
    const { wallet, hold, key } = await openHold();
    const doors = [books.ledger, books.anotherLedger()];
    const before = await books.balance(bank);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [op, to] = index % 4 < 2 ? (['post', bank] as const) : (['release', wallet] as const);
        return doors[index % 2]!.post(transfer(hold, to, 40n, { hold: { op, key } }));
      }),
    );
    expect([count(outcomes, 'posted'), count(outcomes, 'hold-closed')]).toEqual([1, 39]);
    expect(await books.balance(hold)).toBe(0n);
    expect((await books.balance(wallet)) + (await books.balance(bank)) - before).toBe(100n);
  });

  test('never exceeds what is there: fifty at once share a balance of five', async () => {
    const memberId = newMember();
    const wallet = await books.account({ memberId, minor: 100n });
    const hold = await books.account({ memberId, kind: 'hold' });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        books.ledger.post(transfer(wallet, hold, 20n, { hold: { op: 'open', key: newReference() } })),
      ),
    );
    expect([count(outcomes, 'posted'), count(outcomes, 'insufficient')]).toEqual([5, 45]);
    expect([await books.balance(wallet), await books.balance(hold)]).toEqual([0n, 100n]);
  });

  test('is left open by a close that does not empty it or sends it elsewhere', async () => {
    const { wallet, hold, key } = await openHold();
    const release = { hold: { op: 'release' as const, key } };
    for (const wrong of [transfer(hold, wallet, 39n, release), transfer(hold, bank, 40n, release)])
      await expect(books.ledger.post(wrong)).rejects.toThrow('impossible');
    expect((await books.ledger.post(transfer(hold, wallet, 40n, release))).state).toBe('posted');
    expect(await books.balance(wallet)).toBe(100n);
  });
});

describe('under load', () => {
  test('thousands of refusals fail none of their neighbours, and sums stay zero all the while', async () => {
    const poor = await books.account({ minor: 9n });
    const rich = await books.account({ minor: 1_000_000n });
    const target = await books.account();
    const items = Array.from({ length: 8000 }, (_, index) =>
      transfer(index % 2 === 0 ? poor : rich, target, 10n, { watch: target }),
    );
    let done = false;
    const load = Promise.all(items.map((item) => books.ledger.post(item))).finally(() => {
      done = true;
    });
    let checks = 0;
    for (; !done; checks++) {
      expect(await books.drift()).toEqual([]);
      if (checks % 10 === 0) expect(await verifyLedger(books.app)).toEqual([]);
    }
    const outcomes = await load;
    expect(checks).toBeGreaterThan(3);
    expect([count(outcomes, 'posted'), count(outcomes, 'insufficient')]).toEqual([4000, 4000]);
    expect(await books.balance(target)).toBe(40_000n);
  });

  test('ten thousand moves of 0.10, 0.20, 0.07 and 1.15 leave no drift', async () => {
    const amounts = [0.1, 0.2, 0.07, 1.15].map((amount) => toMinor(amount, 'BAHT')!);
    expect(amounts).toEqual([10n, 20n, 7n, 115n]);
    const each = 2500;
    const whole = amounts.reduce((sum, amount) => sum + amount, 0n) * BigInt(each);
    const wallet = await books.account({ minor: whole });
    const target = await books.account();
    const outcomes = await Promise.all(
      Array.from({ length: each * 4 }, (_, index) =>
        books.ledger.post(transfer(wallet, target, amounts[index % 4]!)),
      ),
    );
    expect(count(outcomes, 'posted')).toBe(10_000);
    expect([await books.balance(wallet), await books.balance(target)]).toEqual([0n, whole]);
  });
});

test('coins issued minus coins spent are the coins of the members', async () => {
  const spent = await books.systemAccount('manual', 'COIN');
  const accounts = await Promise.all(
    Array.from({ length: 5 }, () => books.account({ kind: 'coin', asset: 'COIN' })),
  );
  const random = (max: number) => Math.floor(Math.random() * max);
  const items = Array.from({ length: 1000 }, (_, index) => {
    const account = accounts[index % 5]!;
    return random(3) > 0
      ? transfer(issue, account, BigInt(1 + random(9)))
      : transfer(account, spent, BigInt(1 + random(20)));
  });
  const outcomes = await Promise.all(items.map((item) => books.ledger.post(item)));
  const posted = items.filter((_, index) => outcomes[index]!.state === 'posted').map((item) => item.legs[0]!);
  const sum = (legs: typeof posted) => legs.reduce((total, leg) => total + leg.amountMinor, 0n);
  const issued = sum(posted.filter((leg) => leg.from === issue));
  const used = sum(posted.filter((leg) => leg.to === spent));
  const { rows } = await books.app.query(
    "select coalesce(sum(balance), 0)::bigint as coins from ledger_account where kind = 'coin'",
  );
  expect(rows[0].coins).toBe(issued - used);
  expect([await books.balance(issue), await books.balance(spent)]).toEqual([-issued, used]);
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(books.app)).toEqual([]);
});
