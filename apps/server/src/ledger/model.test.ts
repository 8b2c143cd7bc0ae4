import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LedgerFault, type LedgerItem, type Outcome, verifyLedger } from './index.ts';
import { newMember, newReference, openBooks } from './testing.ts';
import { Model } from './testing-model.ts';

// Small batches, so that one wave spans several of them.
const books = await openBooks({ batchMax: 7 });
const bank = await books.systemAccount('bank:MODEL', 'BAHT');
const issue = await books.systemAccount('coin_issue', 'COIN');

const MEMBERS = 4;
const COIN = MEMBERS * 2;
const BANK = COIN + 1;
const ISSUE = BANK + 1;

/** Operations of a random run. Accounts, holds and earlier items are named by number. */
type Leg = { from: number; to: number; amount: number };
type Operation =
  | { type: 'legs'; legs: Leg[]; key: number | null }
  | { type: 'open'; member: number; amount: number; key: number | null }
  | { type: 'close'; hold: number; how: 'post' | 'release'; short: boolean }
  | { type: 'repeat'; which: number }
  | { type: 'refuse'; key: number };

const amount = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: -1, max: 200 }));
const place = fc.oneof(
  { weight: 8, arbitrary: fc.nat(MEMBERS - 1) },
  { weight: 1, arbitrary: fc.nat(ISSUE + 1) },
);
const leg = fc.record({ from: fc.oneof(place, fc.constant(BANK)), to: place, amount });
const key = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(9) });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('legs' as const),
      legs: fc.array(leg, { minLength: 1, maxLength: 3 }),
      key,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('open' as const), member: fc.nat(MEMBERS - 1), amount, key }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('close' as const),
      hold: fc.nat(12),
      how: fc.constantFrom('post' as const, 'release' as const),
      short: fc.nat(3).map((one) => one === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('repeat' as const), which: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('refuse' as const), key: fc.nat(9) }) },
);

interface Fixture {
  model: Model;
  accounts: bigint[];
  member: bigint;
  run: string;
}

async function openFixture(): Promise<Fixture> {
  const model = new Model();
  const accounts: bigint[] = [];
  const members = Array.from({ length: MEMBERS }, newMember);
  for (const memberId of members) accounts.push(await books.account({ memberId, minor: 100n }));
  for (const memberId of members) accounts.push(await books.account({ memberId, kind: 'hold' }));
  accounts.push(await books.account({ kind: 'coin', asset: 'COIN', minor: 50n }), bank, issue);
  const { rows } = await books.app.query(
    'select a.id, a.kind, a.allow_negative, a.balance, a.version, s.code from ledger_account a join ledger_asset s on s.id = a.asset where a.id = any($1)',
    [accounts],
  );
  for (const row of rows) model.add(row.id, row);
  // The last number is an account that does not exist.
  return { model, accounts: [...accounts, 999_999_999n], member: members[0]!, run: newReference() };
}

const savedIn = (fixture: Fixture, number: number) => ({
  memberId: fixture.member,
  call: 'test',
  key: `${fixture.run}:${number}`,
  bodyHash: 'x',
  state: 'DONE' as const,
  response: {},
});

function closing(fixture: Fixture, op: Operation & { type: 'close' }, opened: LedgerItem[]): LedgerItem {
  const hold = opened[op.hold];
  const into = hold?.legs[0] ?? { from: bank, to: fixture.accounts[MEMBERS]!, amountMinor: 2n };
  const target = op.how === 'post' ? bank : into.from;
  const amountMinor = into.amountMinor - (op.short ? 1n : 0n);
  return {
    reference: newReference(),
    kind: 'close',
    hold: { op: op.how, key: hold?.hold?.key ?? 'no such hold' },
    legs: [{ from: into.to, to: target, amountMinor }],
    watch: target,
  };
}

/** Converts operations to ledger items. A repeat is an earlier item under the same reference. */
function itemsOf(fixture: Fixture, operations: readonly Operation[]): LedgerItem[] {
  const items: LedgerItem[] = [];
  const opened: LedgerItem[] = [];
  const account = (at: number) => fixture.accounts[at]!;
  for (const op of operations) {
    const base = { reference: newReference(), watch: account(0) };
    const saved = 'key' in op && op.key !== null ? { saved: savedIn(fixture, op.key) } : {};
    if (op.type === 'legs') {
      const legs = op.legs.map((one) => ({
        from: account(one.from),
        to: account(one.to),
        amountMinor: BigInt(one.amount),
      }));
      items.push({ ...base, ...saved, kind: 'legs', legs });
    } else if (op.type === 'open') {
      const legs = [
        { from: account(op.member), to: account(MEMBERS + op.member), amountMinor: BigInt(op.amount) },
      ];
      const item: LedgerItem = {
        ...base,
        ...saved,
        kind: 'open',
        hold: { op: 'open', key: base.reference },
        legs,
      };
      opened.push(item);
      items.push(item);
    } else if (op.type === 'close') items.push(closing(fixture, op, opened));
    else if (op.type === 'refuse')
      items.push({ ...base, ...saved, kind: 'refuse', legs: [], refusal: { message: 'NO' } });
    else if (items.length > 0) items.push(items[op.which % items.length]!);
  }
  return items;
}

/** Splits the run into waves that are posted at once. Items that share a key are in different waves. */
function wavesOf(items: readonly LedgerItem[]): LedgerItem[][] {
  const waves: LedgerItem[][] = [[]];
  let used = new Set<string>();
  for (const item of items) {
    const keys = [item.reference, item.hold?.key, item.saved?.key].filter((one) => one !== undefined);
    if (keys.some((one) => used.has(one))) {
      waves.push([]);
      used = new Set();
    }
    for (const one of keys) used.add(one);
    waves.at(-1)!.push(item);
  }
  return waves;
}

const seenAs = (outcome: Outcome) =>
  outcome.state === 'posted'
    ? { state: 'posted', balance: outcome.balanceMinor, version: outcome.version }
    : { state: outcome.state };

async function postSeen(item: LedgerItem): Promise<ReturnType<Model['decide']>> {
  try {
    return seenAs(await books.ledger.post(item));
  } catch (error) {
    if (error instanceof LedgerFault) return { state: 'impossible' };
    throw error;
  }
}

const tally: Record<string, number> = {};

test('any mix of transfers, groups, holds, repeats, keys and refusals ends as the model says, item by item', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 150, size: 'max' }), async (operations) => {
      const fixture = await openFixture();
      for (const wave of wavesOf(itemsOf(fixture, operations))) {
        const seen = await Promise.all(wave.map(postSeen));
        const expected = wave.map((item) => fixture.model.decide(item));
        for (const { state } of expected) tally[state] = (tally[state] ?? 0) + 1;
        expect(seen).toEqual(expected);
      }
      for (const [account, balance] of fixture.model.balances)
        expect(await books.balance(account)).toBe(balance);
    }),
    { numRuns: 100, endOnFailure: true },
  );
  // Every kind of outcome must occur often, or the run proves little.
  for (const state of [
    'posted',
    'repeated',
    'insufficient',
    'refused',
    'hold-closed',
    'answered',
    'impossible',
  ])
    expect(tally[state], state).toBeGreaterThan(50);
  expect(await verifyLedger(books.app)).toEqual([]);
  expect(await books.drift()).toEqual([]);
});
