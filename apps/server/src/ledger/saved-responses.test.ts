import { describe, expect, test } from 'vitest';
import type { Intent } from '../platform/intent.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import {
  buildOn,
  dropRunningResponse,
  finishSavedResponse,
  forgetSavedResponses,
  keepRefusal,
  RespondedBefore,
  readSavedResponse,
  respondOnce,
  runningResponse,
  type Saved,
  verifyLedger,
} from './index.ts';
import { newMember, newReference, openBooks, transfer } from './testing.ts';

const books = await openBooks();
const deps = { pool: books.app, ledger: books.ledger };
const bank = await books.systemAccount('bank:SAVED', 'BAHT');

const intentOf = (more: Partial<Intent> = {}): Intent => ({
  memberId: newMember(),
  call: 'POST /test',
  key: newReference(),
  bodyHash: 'one',
  ...more,
});

interface Order {
  intent: Intent;
  wallet: bigint;
  amountMinor?: bigint;
  state?: 'RUNNING' | 'DONE';
  work?: () => Promise<void>;
}

/** A money call as features write them: one posting with its response saved in the same item. */
function call({ intent, wallet, amountMinor = 10n, state = 'DONE', work }: Order): Promise<object> {
  const build = (saved: Saved) => ({ ...(saved.response as object), left: String(saved.walletAfterMinor) });
  return respondOnce(deps, intent, { build }, async () => {
    const response = { id: newReference() };
    const saved = state === 'RUNNING' ? runningResponse(intent, response) : { ...intent, state, response };
    const outcome = await books.ledger.post(transfer(wallet, bank, amountMinor, { watch: wallet, saved }));
    if (outcome.state === 'answered') throw new RespondedBefore();
    if (outcome.state === 'insufficient') throw refuseAny('MONEY_NOT_ENOUGH');
    if (outcome.state !== 'posted') throw new Error(outcome.state);
    await work?.();
    return { ...response, left: String(outcome.balanceMinor) };
  });
}

describe('one key', () => {
  test('gives the first answer again, with the balance of then, and moves money once', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    const first = await call({ intent, wallet });
    await call({ intent: intentOf(), wallet });
    expect(await call({ intent, wallet })).toEqual(first);
    expect(first).toMatchObject({ left: '90' });
    expect(await books.balance(wallet)).toBe(80n);
  });

  test('sent forty times at once gives forty equal answers and one posting', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    const responses = await Promise.all(Array.from({ length: 40 }, () => call({ intent, wallet })));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await books.balance(wallet)).toBe(90n);
  });

  test('gives a refusal again, even when the money is there by now', async () => {
    const wallet = await books.account({ minor: 5n });
    const intent = intentOf();
    await expect(call({ intent, wallet })).rejects.toMatchObject({ code: 'MONEY_NOT_ENOUGH' });
    await books.ledger.post(transfer(bank, wallet, 100n));
    await expect(call({ intent, wallet })).rejects.toMatchObject({
      code: 'MONEY_NOT_ENOUGH',
      kind: 'invalid',
    });
    expect(await books.balance(wallet)).toBe(105n);
  });

  test('gives a refusal decided outside the ledger again, with its data', async () => {
    const intent = intentOf();
    let requested = 0;
    const refuse = () =>
      respondOnce(deps, intent, { build: () => null }, async () => {
        requested++;
        throw refuseAny('WITHDRAW_MINIMUM', { min: 100 + requested });
      });
    for (const _time of [1, 2])
      await expect(refuse()).rejects.toMatchObject({ code: 'WITHDRAW_MINIMUM', data: { min: 101 } });
  });

  test('with another body is a conflict: after a success, after a refusal, and while the first call runs', async () => {
    const wallet = await books.account({ minor: 15n });
    const done = intentOf();
    await call({ intent: done, wallet });
    const refused = intentOf();
    await expect(call({ intent: refused, wallet })).rejects.toMatchObject({ code: 'MONEY_NOT_ENOUGH' });
    const running = intentOf();
    await call({ intent: running, wallet, amountMinor: 1n, state: 'RUNNING' });
    for (const intent of [done, refused, running])
      await expect(call({ intent: { ...intent, bodyHash: 'two' }, wallet })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
        kind: 'conflict',
      });
    expect(await books.balance(wallet)).toBe(4n);
  });

  test('belongs to one member and one call', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    await call({ intent, wallet });
    await call({ intent: { ...intent, memberId: newMember() }, wallet });
    await call({ intent: { ...intent, call: 'POST /other' }, wallet });
    expect(await books.balance(wallet)).toBe(70n);
  });
});

describe('a refusal that means "not now"', () => {
  test.each([
    ['REQUEST_LIMIT', 'rate-limited'],
    ['invalid-token', 'unauthenticated'],
    ['PROVIDER_UNAVAILABLE', 'unavailable'],
  ] as const)('%s is not stored: the same key is a new attempt', async (code, kind) => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    const refused = respondOnce(deps, intent, { build: () => null }, async () => {
      throw refuseAny(code);
    });
    await expect(refused).rejects.toMatchObject({ code, kind });
    expect(await readSavedResponse(books.app, intent.memberId, intent.call, intent.key)).toBeNull();
    expect(await call({ intent, wallet })).toMatchObject({ left: '90' });
  });

  test('is not stored either when the ledger returns it', async () => {
    const intent = intentOf();
    const outcome = await books.ledger.post({
      reference: newReference(),
      kind: 'test',
      legs: [],
      saved: { ...intent, state: 'DONE', response: null },
      refusal: { message: 'REQUEST_LIMIT' },
    });
    expect(outcome).toEqual({ state: 'refused', body: { message: 'REQUEST_LIMIT' } });
    expect(await readSavedResponse(books.app, intent.memberId, intent.call, intent.key)).toBeNull();
  });
});

describe('while the first call runs', () => {
  test('a repeat waits for its end and returns that, not what was saved at the start', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    await call({ intent, wallet, state: 'RUNNING' });
    const repeat = call({ intent, wallet });
    await finishSavedResponse(books.app, intent, { response: { id: 'the end' }, walletAfterMinor: 77n });
    expect(await repeat).toEqual({ id: 'the end', left: '77' });
    await finishSavedResponse(books.app, intent, { response: { id: 'a second end' } });
    expect(await call({ intent, wallet })).toEqual({ id: 'the end', left: '77' });
    expect(await books.balance(wallet)).toBe(90n);
  });

  test('a repeat returns its final refusal', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    await call({ intent, wallet, state: 'RUNNING' });
    const refusal = expect(call({ intent, wallet })).rejects.toMatchObject({
      code: 'TRANSFER_FAIL',
      data: { slot: 'x' },
    });
    await finishSavedResponse(books.app, intent, {
      refusal: { message: 'TRANSFER_FAIL', data: { slot: 'x' } },
    });
    await refusal;
  });

  test('a repeat that waits for a call ending in "not now" becomes a try of its own, once however many wait', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    await call({ intent, wallet, state: 'RUNNING' });
    const repeats = Promise.all(Array.from({ length: 5 }, () => call({ intent, wallet })));
    await dropRunningResponse(books.app, intent);
    const responses = await repeats;
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await books.balance(wallet)).toBe(80n);
  });

  test('a dropped call makes the next repeat a fresh try', async () => {
    const wallet = await books.account({ minor: 100n });
    const intent = intentOf();
    await call({ intent, wallet, state: 'RUNNING' });
    await dropRunningResponse(books.app, intent);
    expect(await call({ intent, wallet })).toMatchObject({ left: '80' });
    await dropRunningResponse(books.app, intent);
    expect(await call({ intent, wallet })).toMatchObject({ left: '80' });
  });
});

describe.each([
  ['for ever', 'TRANSFER_MINIMUM', 'IDEMPOTENCY_CONFLICT'],
  ['for now', 'PROVIDER_UNAVAILABLE', 'PROVIDER_UNAVAILABLE'],
] as const)('a call that is refused %s before it has stored anything', (_how, code, seen) => {
  /** A call that is refused after its look for the key. */
  const refusedCall = (intent: Intent) =>
    respondOnce(deps, intent, { build: (saved) => saved.response }, () =>
      keepRefusal(books.app, intent, async () => {
        throw refuseAny(code);
      }),
    );

  test('neither ends nor frees the running call that has its key', async () => {
    const wallet = await books.account({ minor: 100n });
    const running = intentOf();
    const first = await call({
      intent: running,
      wallet,
      state: 'RUNNING',
      work: async () => {
        await expect(refusedCall({ ...running, bodyHash: 'two' })).rejects.toMatchObject({ code: seen });
        await finishSavedResponse(books.app, running, { response: { id: 'the end' }, walletAfterMinor: 90n });
      },
    });
    expect(first).toMatchObject({ left: '90' });
    expect(await call({ intent: { ...running }, wallet })).toEqual({ id: 'the end', left: '90' });
    expect(await books.balance(wallet)).toBe(90n);
  });
});

test('a repeat ends the call that it builds on, and not a later one under the key', async () => {
  const wallet = await books.account({ minor: 100n });
  const [first, repeat, later] = [intentOf()].flatMap((intent) => [intent, { ...intent }, { ...intent }]);
  await call({ intent: first!, wallet, state: 'RUNNING' });
  const saved = (await readSavedResponse(books.app, first!.memberId, first!.call, first!.key))!;
  buildOn(repeat!, saved);
  await dropRunningResponse(books.app, first!);
  await call({ intent: later!, wallet, state: 'RUNNING' });
  await finishSavedResponse(books.app, repeat!, { response: { id: 'of the dropped call' } });
  await dropRunningResponse(books.app, repeat!);
  await finishSavedResponse(books.app, later!, { response: { id: 'the end' }, walletAfterMinor: 80n });
  expect(await call({ intent: { ...later! }, wallet })).toEqual({ id: 'the end', left: '80' });
});

test('keys are stored until they are older than the documented time', async () => {
  const wallet = await books.account({ minor: 100n });
  const intent = intentOf();
  await call({ intent, wallet });
  await forgetSavedResponses(books.app, new Date(Date.now() - 60_000), 1000);
  expect(await call({ intent, wallet })).toMatchObject({ left: '90' });
  expect(await forgetSavedResponses(books.app, new Date(Date.now() + 60_000), 1000)).toBeGreaterThan(0);
  expect(await call({ intent, wallet })).toMatchObject({ left: '80' });
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(books.app)).toEqual([]);
});
