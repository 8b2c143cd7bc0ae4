import { describe, expect, test } from 'vitest';
import { createLedger, verifyLedger } from '../../ledger/index.ts';
import { newId } from '../../platform/ids.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv();
// A bank that has never seen an order is believed soon here.
await env.set('unknown.absentGraceSeconds', 1);

const withdraw = (token: string, amount: unknown, key?: string) =>
  env.call('POST', '/api/wallet/withdraw', { amount }, { token, ...(key ? { key } : {}) });

async function statusOf(id: string): Promise<string> {
  return (await env.pool.query('select status from withdrawal where id = $1', [id])).rows[0].status;
}

describe('requesting a withdrawal', () => {
  test('holds the money at once and ends paid by the bank', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const response = await withdraw(member.token, 500);
    expect(response).toMatchObject({
      status: 200,
      body: {
        type: 'withdraw',
        status: 'PENDING',
        amount: 500,
        from: 'wallet',
        to: 'KBANK',
        wallet: { amount: 500 },
      },
    });
    await until(async () => (await statusOf(response.body.id)) === 'SUCCESS');
    expect(await env.balance(member)).toBe(50_000n);
    const statement = await env.call(
      'POST',
      '/api/statement',
      { page: 1, limit: 10 },
      { token: member.token },
    );
    expect(statement.body.statements[0]).toMatchObject({
      id: response.body.id,
      statementType: 'withdraw',
      status: 'SUCCESS',
      amount: 500,
    });
  });

  test.each([
    [99, 'WITHDRAW_MINIMUM'],
    [0, 'WITHDRAW_MINIMUM'],
    [-500, 'WITHDRAW_MINIMUM'],
    ['500', 'WITHDRAW_MINIMUM'],
    [null, 'WITHDRAW_MINIMUM'],
    [[500], 'WITHDRAW_MINIMUM'],
    [500.001, 'WITHDRAW_MINIMUM'],
    [1e300, 'WITHDRAW_MINIMUM'],
    [50_001, 'WITHDRAW_MAXIMUM'],
    [600, 'MONEY_NOT_ENOUGH'],
  ])('of %j is refused with %s and writes nothing', async (amount, code) => {
    const member = await env.member({ amountMinor: 50_000n });
    const response = await withdraw(member.token, amount);
    expect(response).toMatchObject({ status: 400, body: { message: code } });
    expect(await env.balance(member)).toBe(50_000n);
    expect((await env.pool.query('select 1 from withdrawal where member_id = $1', [member.id])).rows).toEqual(
      [],
    );
  });

  test('above what two operators must agree to, it is never paid by itself, whatever is paid automatically', async () => {
    const before = ['withdraw.automaticMax', 'withdraw.automaticDayMax'] as const;
    const stored = before.map((key) => [key, env.app.deps.settings.get(key)] as const);
    for (const key of before) await env.set(key, { BAHT: 1_000_000, LAK: 700_000_000 });
    const [large, largest] = [
      await env.member({ amountMinor: 2_000_001n }),
      await env.member({ amountMinor: 2_000_000n }),
    ];
    const limits = await env.call('GET', '/api/lookup/withdraw', undefined, { token: large.token });
    expect(limits.body.automaticMax).toBe(20_000);
    const waiting = await withdraw(large.token, 20_000.01);
    expect(await statusOf(waiting.body.id)).toBe('REVIEW');
    const paid = await withdraw(largest.token, 20_000);
    await until(async () => (await statusOf(paid.body.id)) === 'SUCCESS');
    expect(await statusOf(waiting.body.id)).toBe('REVIEW');
    for (const [key, value] of stored) await env.set(key, value);
  });

  test('forty at once without a key: exactly one is open, the others get REQUEST_LIMIT', async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    const responses = await Promise.all(Array.from({ length: 40 }, () => withdraw(member.token, 3000)));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(responses.filter((response) => response.body.message === 'REQUEST_LIMIT')).toHaveLength(39);
    expect(await env.balance(member)).toBe(700_000n);
  });

  test('forty at once, as many open as the money allows: never more than the balance', async () => {
    await env.set('withdraw.oneOpen', false);
    const member = await env.member({ amountMinor: 100_000n });
    const responses = await Promise.all(Array.from({ length: 40 }, () => withdraw(member.token, 150)));
    await env.set('withdraw.oneOpen', true);
    expect(responses.filter((response) => response.status === 200)).toHaveLength(6);
    expect(responses.filter((response) => response.body.message === 'MONEY_NOT_ENOUGH')).toHaveLength(34);
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('forty at once under one key: one withdrawal and forty equal answers', async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => withdraw(member.token, 3000, 'same-intent-1')),
    );
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    expect(responses[0]).toMatchObject({ status: 200, body: { wallet: { amount: 7000 } } });
    expect(await env.balance(member)).toBe(700_000n);
    expect(await withdraw(member.token, 3001, 'same-intent-1')).toMatchObject({
      status: 409,
      body: { message: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  test('a refusal is replayed under its key even after the rule has changed', async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    expect(await withdraw(member.token, 50, 'too-little-1')).toMatchObject({
      status: 400,
      body: { message: 'WITHDRAW_MINIMUM', data: { min: 100 } },
    });
    await env.set('withdraw.minimum', { BAHT: 10, LAK: 7000 });
    expect(await withdraw(member.token, 50, 'too-little-1')).toMatchObject({
      status: 400,
      body: { message: 'WITHDRAW_MINIMUM', data: { min: 100 } },
    });
    await env.set('withdraw.minimum', { BAHT: 100, LAK: 70_000 });
    expect(await env.balance(member)).toBe(1_000_000n);
  });
});

/** The bank's own record of what was ordered under a reference. */
async function booksOf(reference: string): Promise<{ reference: string; state: string }[]> {
  const { payouts } = await env.control('books');
  return payouts.filter((payout: { reference: string }) => payout.reference === reference);
}

describe('the bank', () => {
  test('refusing gives the money back in the same instant', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    await env.fault({ party: 'bank-a', call: 'payout', kind: 'refuse', count: 1 });
    const response = await withdraw(member.token, 500);
    await until(async () => (await statusOf(response.body.id)) === 'FAILED');
    expect(await env.balance(member)).toBe(100_000n);
  });

  test.each(['cut-before', 'cut-after', '500', 'malformed'])('%s ends paid exactly once', async (kind) => {
    const member = await env.member({ amountMinor: 100_000n });
    await env.fault({ party: 'bank-a', call: 'payout', kind, count: 1 });
    const response = await withdraw(member.token, 500);
    await until(async () => (await statusOf(response.body.id)) === 'SUCCESS');
    expect(await env.balance(member)).toBe(50_000n);
    expect((await booksOf(response.body.id)).filter((payout) => payout.state === 'PAID')).toHaveLength(1);
  });
});

test('no withdrawal to an account that is not the member’s can be written, and its money stays', async () => {
  const [member, other] = [await env.member({ amountMinor: 100_000n }), await env.member()];
  const account = (await env.pool.query('select id from bank_account where member_id = $1', [other.id]))
    .rows[0].id;
  const { wallet_account: from, hold_account: to } = (
    await env.pool.query('select wallet_account, hold_account from member where id = $1', [member.id])
  ).rows[0];
  const id = newId('WD', new Date());
  const ledger = createLedger({ pool: env.pool, now: () => new Date() });
  const posted = ledger.post({
    reference: `withdrawal:${id}:hold`,
    kind: 'withdrawal_hold',
    memberId: member.id,
    hold: { op: 'open', key: `withdrawal:${id}` },
    legs: [{ from, to, amountMinor: 50_000n }],
    attached: {
      name: 'withdrawal_request',
      row: {
        id,
        memberId: BigInt(member.id),
        bankAccountId: account,
        bankCode: 'KBANK',
        amount: 50_000n,
        onlyOne: true,
        unplayed: null,
        unbetNeeded: null,
        unbetSince: null,
        walletVersion: null,
        automaticMax: 0n,
        automaticDayMax: 0n,
        reasons: [],
        score: 0,
        parts: '[]',
        evidence: '{}',
        reviewScore: 30,
        holdScore: 70,
        alertScore: 70,
      },
    },
  });
  await expect(posted).rejects.toThrow('not the member');
  expect(await env.balance(member)).toBe(100_000n);
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});
