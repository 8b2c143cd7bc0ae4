import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createQr, startTestEnv, type TestEnv } from '../testing/test-env.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
beforeEach(async () => {
  await env.control('faults', { clear: true });
  await env.control('settings', { payoutDelayMs: 0, confirmationIntervalMs: 20 });
  env.product.notices.length = 0;
});
afterAll(() => env.stop());

let serial = 0;
const next = (name: string): string => `${name}${++serial}`;
const arm = async (fault: object) => (await env.control('faults', fault)).body;
const player = async () => {
  const username = next('user');
  await env.game('betflix', 'user/register', { username, password: 'pass1234' });
  return username;
};
const credit = (username: string, ref: string, amount = '10.00') =>
  env.game('betflix', 'user/transfer', { username, amount, ref });
const payout = (reference: string) =>
  env.bank('/payout', {
    reference,
    amount: '5.00',
    bankCode: 'SCB',
    accountNo: '4078811245',
    accountName: 'T',
  });
const notices = async (count: number) => {
  for (let turn = 0; turn < 1500 && env.product.notices.length < count; turn++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 40));
  return env.product.notices;
};
const pay = async (reference: string) => env.control('pay-qr', { payload: await createQr(env, reference) });

describe('the code of a refusal', () => {
  test.each(['bank-a', 'slip', 'sms', 'game-f'])(
    'is a number for %s, never null in its answer',
    async (party) => {
      const { status, body } = await env.control('faults', { party, kind: 'refuse', code: 'NO_SUCH' });
      expect([status, body.error]).toEqual([400, 'INVALID_REQUEST']);
      expect((await arm({ party, kind: 'refuse', code: '4099' })).fault.code).toBe('4099');
      expect((await arm({})).faults).toHaveLength(1);
    },
  );

  test('is a text where the partner has texts', async () => {
    expect((await arm({ party: 'game-j', kind: 'refuse', code: 'NOT_ENOUGH' })).fault.code).toBe(
      'NOT_ENOUGH',
    );
  });
});

describe('on calls of the product', () => {
  test('delay holds the answer up', async () => {
    await arm({ party: 'sms', call: 'credit', kind: 'delay', ms: 120, count: 1 });
    const started = performance.now();
    expect((await env.sms('/credit')).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(110);
  });

  test('a delayed request has no effect after a reset', async () => {
    await arm({ party: 'sms', call: 'send', kind: 'delay', ms: 200, count: 1 });
    const sent = env.sms('/messages', { sender: 'K', to: '0815550199', text: 'late' }).catch(() => 'cut');
    while ((await arm({})).faults.length > 0);
    await env.control('reset', {});
    expect(await sent).toBe('cut');
    expect((await env.control('sms?phone=0815550199')).body.messages).toEqual([]);
  });

  test('refuse, 429, 500 and outage answer in each party’s words and do nothing', async () => {
    const responses: Record<string, [number, unknown][]> = {
      refuse: [
        [400, 4001],
        [400, '110'],
        [200, 9001],
      ],
      '429': [
        [429, 9700],
        [429, '429'],
        [429, 9429],
      ],
      '500': [
        [500, 9900],
        [500, '500'],
        [500, 9500],
      ],
      outage: [
        [503, 9901],
        [503, '503'],
        [503, 9001],
      ],
    };
    const username = await player();
    for (const [kind, expected] of Object.entries(responses)) {
      for (const party of ['bank-a', 'sms', 'game-f']) await arm({ party, kind });
      const reference = next('F');
      const bank = await payout(reference);
      const sms = await env.sms('/messages', { sender: 'K', to: '0815550142', text: 'x' });
      const game = await credit(username, reference);
      expect([
        [bank.status, bank.body.status.code],
        [sms.status, sms.body.code],
        [game.status, game.body.error_code],
      ]).toEqual(expected);
      await arm({ clear: true });
      expect((await env.bank(`/payout/${reference}`)).status).toBe(404);
      expect((await env.game('betflix', 'user/transfer/status', { ref: reference })).body.error_code).toBe(
        2004,
      );
    }
  });

  test('cut-before cuts the line with nothing done', async () => {
    const username = await player();
    await arm({ party: 'game-f', call: 'transfer', kind: 'cut-before', count: 1 });
    await expect(credit(username, 'cb')).rejects.toThrow();
    expect((await env.game('betflix', 'user/transfer/status', { ref: 'cb' })).body.error_code).toBe(2004);
  });

  test('cut-after acts, then cuts the line', async () => {
    const username = await player();
    await arm({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    await expect(credit(username, 'ca')).rejects.toThrow();
    expect((await env.game('betflix', 'user/transfer/status', { ref: 'ca' })).body.data.state).toBe('DONE');
    await arm({ party: 'bank-a', call: 'payout', kind: 'cut-after', count: 1 });
    await expect(payout('CA')).rejects.toThrow();
    expect((await env.bank('/payout/CA')).status).toBe(200);
  });

  test('malformed answers half a JSON; wrong-amount and stale-balance answer untrue figures', async () => {
    const username = await player();
    await credit(username, next('in'));
    await arm({ party: 'game-f', call: 'balance', kind: 'malformed', count: 1 });
    const broken = await env.game('betflix', 'user/balance', { username });
    expect([broken.status, broken.body]).toEqual([200, null]);
    await arm({ party: 'game-f', kind: 'stale-balance', count: 1 });
    expect((await env.game('betflix', 'user/balance', { username })).body.data.balance).toBe('0.00');
    expect((await env.game('betflix', 'user/balance', { username })).body.data.balance).toBe('10.00');
    await arm({ party: 'game-f', call: 'transfer', kind: 'wrong-amount', count: 1 });
    expect((await credit(username, next('in'))).body.data.amount).toBe('11.00');
  });
});

describe('matching', () => {
  test('member, reference, agent and count narrow a fault down', async () => {
    const [one, two] = [await player(), await player()];
    await arm({ party: 'game-f', kind: 'refuse', username: one.toUpperCase() });
    await arm({ party: 'game-f', kind: 'refuse', reference: 'only-this', agent: 'betflix', code: 2002 });
    await arm({ party: 'game-f', kind: 'refuse', agent: 'imi' });
    expect((await credit(one, next('m'))).body.error_code).toBe(9001);
    expect((await credit(two, next('m'))).body.status).toBe('success');
    expect((await credit(two, 'only-this')).body.error_code).toBe(2002);
    await arm({ clear: true });
    const { fault } = await arm({ party: 'game-f', kind: 'refuse', count: 2 });
    const responses = [];
    for (let turn = 0; turn < 3; turn++) responses.push((await credit(two, next('m'))).body.status);
    expect(responses).toEqual(['error', 'error', 'success']);
    expect((await env.control('faults')).body.faults).toEqual([]);
    expect(fault.id).toMatch(/^fault-/);
  });

  test('chance follows the seed', async () => {
    const run = async () => {
      await env.control('seed', { seed: 5 });
      const username = await player();
      await arm({ party: 'game-f', call: 'balance', kind: 'refuse', chance: 0.5 });
      const responses: string[] = [];
      for (let turn = 0; turn < 20; turn++)
        responses.push((await env.game('betflix', 'user/balance', { username })).body.status);
      await arm({ clear: true });
      return responses;
    };
    const first = await run();
    expect(new Set(first).size).toBe(2);
    expect(await run()).toEqual(first);
  });

  test('a kind that can never strike its call is refused, and single faults clear by id', async () => {
    expect((await arm({ party: 'sms', call: 'send', kind: 'wrong-signature' })).error).toBe(
      'FAULT_CANNOT_STRIKE',
    );
    expect((await arm({ party: 'sms', call: 'nothing', kind: 'delay' })).error).toBe('FAULT_CANNOT_STRIKE');
    expect((await arm({ party: 'sms' })).error).toBe('INVALID_REQUEST');
    const { fault } = await arm({ party: 'sms', kind: 'outage' });
    await arm({ party: 'bank-a', kind: 'outage' });
    expect((await arm({ clear: fault.id })).faults).toHaveLength(1);
  });

  test('the log shows who was struck, and no secrets', async () => {
    const username = await player();
    await arm({ party: 'game-f', call: 'balance', kind: 'cut-before', count: 1 });
    await expect(env.game('betflix', 'user/balance', { username })).rejects.toThrow();
    const { body, text } = await env.control('log?party=game-f');
    expect(body.entries.at(-1)).toMatchObject({
      call: 'balance',
      member: username,
      status: null,
      fault: 'cut-before',
    });
    expect(text).not.toContain('pass1234');
  });
});

describe('on what the sandbox does by itself', () => {
  test.each([
    ['wrong-signature', 2],
    ['malformed', 2],
    ['wrong-amount', 1],
    ['duplicate', 2],
    ['cut-after', 2],
    ['cut-before', 1],
    ['outage', 1],
  ])('confirmation: %s', async (kind, count) => {
    const reference = next('N');
    // The product refuses what it cannot trust, so that the bank repeats it.
    env.product.resCode = ['wrong-signature', 'malformed'].includes(kind) ? '99' : '00';
    await arm({ party: 'bank-a', call: 'confirmation', kind, count: 1 });
    await pay(reference);
    const [first, second] = await notices(count);
    env.product.resCode = '00';
    expect((await notices(count)).length).toBeGreaterThanOrEqual(count);
    if (kind === 'malformed') expect(first!.json).toBeNull();
    if (kind === 'wrong-amount') expect(first!.json!.amount).toBe('501.00');
    if (kind === 'duplicate') expect(second).toEqual(first);
    if (kind === 'wrong-signature') expect(second!.signature).not.toBe(first!.signature);
    await env.control('wait', { for: 'confirmation', reference, acknowledged: true, timeoutMs: 1000 });
  });

  test('confirmation: late keeps its payment waiting on the virtual clock', async () => {
    await arm({ party: 'bank-a', call: 'confirmation', kind: 'late', ms: 60_000, count: 1 });
    await pay(next('L'));
    expect(await notices(0)).toHaveLength(0);
    await env.control('clock', { advanceMs: 60_000 });
    expect(await notices(1)).toHaveLength(1);
  });

  test('confirmation: reordered lets the next one overtake', async () => {
    const [first, second] = [next('O'), next('O')];
    await arm({ party: 'bank-a', call: 'confirmation', kind: 'reordered', reference: first, count: 1 });
    await pay(first);
    await pay(second);
    const order = (await notices(2)).map(({ json }) => json!.billPaymentRef1);
    expect(order).toEqual([second, first]);
  });

  test('payout: settling is refused or late', async () => {
    await arm({ party: 'bank-a', call: 'settle-payout', kind: 'refuse', count: 1 });
    const refused = next('S');
    await payout(refused);
    await env.control('wait', { for: 'payout', reference: refused });
    expect((await env.bank(`/payout/${refused}`)).body.data).toMatchObject({ state: 'REJECTED' });
    await arm({ party: 'bank-a', call: 'settle-payout', kind: 'late', ms: 50_000, count: 1 });
    const late = next('S');
    await payout(late);
    expect((await env.bank(`/payout/${late}`)).body.data.state).toBe('ACCEPTED');
    const wait = env.control('wait', { for: 'payout', reference: late });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await env.control('clock', { advanceMs: 50_000 });
    expect((await wait).body.facts.state).toBe('PAID');
  });

  test('SMS: delivery fails, doubles or comes late', async () => {
    const send = async () =>
      (await env.sms('/messages', { sender: 'K', to: '0815550167', text: 'hi' })).body.result;
    const arrivals = async () => (await env.control('sms?phone=0815550167')).body.messages.length;
    await arm({ party: 'sms', call: 'deliver', kind: 'refuse', count: 1 });
    expect((await send()).state).toBe('FAILED');
    expect(await arrivals()).toBe(0);
    await arm({ party: 'sms', kind: 'duplicate', count: 1 });
    expect((await send()).state).toBe('DELIVERED');
    expect(await arrivals()).toBe(2);
    await arm({ party: 'sms', kind: 'late', ms: 30_000, member: '0815550167', count: 1 });
    const { id, state } = await send();
    expect(state).toBe('QUEUED');
    await env.control('clock', { advanceMs: 30_000 });
    expect((await env.sms(`/messages/${id}`)).body.result.state).toBe('DELIVERED');
  });
});
