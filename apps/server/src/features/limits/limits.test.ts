import { DAY_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { paymentHelpers } from '../deposits/testing-payments.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pass, pushedClock } from '../testing.ts';
import { afterIntent } from './limits.ts';

const clock = pushedClock();
const env = await startTestEnv({ clock });
const { open, transfer, transferAll, refresh, play, get } = gameHelpers(env);
const slips = slipHelpers(env);
const payments = paymentHelpers(env, clock.now);
const { offer: bonus, activate } = bonusHelpers(env);
await env.set('session.idleDays', 0);
await env.set('refresh.seconds', 0);

const request = (member: TestMember, method: string, path: string, body?: unknown) =>
  env.call(method, path, body, { token: member.token });
const set = (member: TestMember, kind: string, period: string, amount: unknown) =>
  request(member, 'PUT', '/api/limits', { kind, period, amount });
const remove = (member: TestMember, kind: string, period: string) =>
  request(member, 'DELETE', `/api/limits/${kind}/${period}`);
const exclude = (member: TestMember, length: string) =>
  request(member, 'POST', '/api/limits/break', { length });
const offer = (member: TestMember, amount: number) =>
  request(member, 'POST', '/api/qrcode/KBANK', { amount });
const limitOf = async (member: TestMember, kind: string, period: string) =>
  (await request(member, 'GET', '/api/limits')).body.limits.find(
    (one: { kind: string; period: string }) => one.kind === kind && one.period === period,
  );
const LIMIT_REACHED = { status: 400, body: { message: 'LIMIT_REACHED' } };
const SELF_EXCLUDED = { status: 400, body: { message: 'SELF_EXCLUDED' } };

/** A session that outlives the months this file walks through. */
async function member(amountMinor = 0n): Promise<TestMember> {
  const one = await env.member({ amountMinor });
  await env.owner.query(
    "update session set expires_at = expires_at + interval '3 years' where member_id = $1",
    [one.id],
  );
  return one;
}

async function pay(member: TestMember, payload: string, amountMinor: bigint): Promise<void> {
  const before = await env.balance(member);
  await env.control('pay-qr', { payload, phone: member.phone });
  await until(async () => (await env.balance(member)) === before + amountMinor);
}

describe('a deposit limit', () => {
  test('refuses offers past it, counts what arrived, and begins again with the day', async () => {
    const me = await member();
    expect((await set(me, 'deposit', 'day', 100)).status).toBe(200);
    expect(await offer(me, 100.01)).toMatchObject({
      ...LIMIT_REACHED,
      body: {
        message: 'LIMIT_REACHED',
        data: { kind: 'deposit', period: 'day', left: 100, currency: 'BAHT' },
      },
    });
    const { payload } = (await offer(me, 60)).body;
    await pay(me, payload, 6_000n);
    expect(await limitOf(me, 'deposit', 'day')).toMatchObject({ amount: 100, used: 60, next: null });
    expect((await request(me, 'GET', '/api/lookup/deposit')).body).toMatchObject({
      left: 40,
      recent: [{ bankCode: 'KBANK', mode: 'QR', amount: 60 }],
    });
    expect(await offer(me, 40.01)).toMatchObject(LIMIT_REACHED);
    expect((await offer(me, 40)).status).toBe(200);
    // Taken back it can still be paid, so it still counts.
    await request(me, 'DELETE', '/api/qrcode/KBANK');
    expect(await offer(me, 1)).toMatchObject(LIMIT_REACHED);
    expect((await request(me, 'GET', '/api/lookup/deposit')).body.message).toBe('LIMIT_REACHED');
    const { link } = await env.control('vouchers', { amount: 20 });
    expect((await request(me, 'POST', '/api/wallet/truelink', { link })).body.message).toBe('LIMIT_REACHED');
    await pass(env, clock, DAY_MS);
    expect((await offer(me, 100)).status).toBe(200);
  });

  test('leaves the QR that uses it up within reach, and offers nothing else', async () => {
    const me = await member();
    await set(me, 'deposit', 'day', 100);
    await offer(me, 100);
    expect((await request(me, 'GET', '/api/lookup/deposit')).body).toMatchObject({
      left: 0,
      openQr: 'KBANK',
      banks: [{ bankCode: 'KBANK', mode: 'QR' }],
      wallets: [],
      isManual: false,
    });
    await exclude(me, '24h');
    expect((await request(me, 'GET', '/api/lookup/deposit')).body.message).toBe('SELF_EXCLUDED');
  });

  test('is never passed by forty offers at once, nor by gifts among them', async () => {
    const me = await member();
    await set(me, 'deposit', 'week', 100);
    const { link } = await env.control('vouchers', { amount: 30 });
    const responses = await Promise.all([
      request(me, 'POST', '/api/wallet/truelink', { link }),
      ...Array.from({ length: 39 }, () => offer(me, 30)),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(responses.filter(({ body }) => body.message === 'LIMIT_REACHED')).toHaveLength(37);
  });

  test('that was set after an offer does not stop the money: it is credited and can be withdrawn', async () => {
    const me = await member();
    const { payload } = (await offer(me, 500)).body;
    await set(me, 'deposit', 'month', 100);
    await pay(me, payload, 50_000n);
    expect(await limitOf(me, 'deposit', 'month')).toMatchObject({ amount: 100, used: 500 });
    expect((await request(me, 'POST', '/api/wallet/withdraw', { amount: 500 })).status).toBe(200);
  });
});

describe('the slip of a payment that was made is credited', () => {
  test('while the QR that it paid, whose confirmation was lost, holds all that the limit leaves', async () => {
    const me = await member();
    await set(me, 'deposit', 'day', 100);
    const { qrcodeId, payload } = (await offer(me, 100)).body;
    await payments.mute(qrcodeId);
    const paid = await env.control('pay-qr', { payload, phone: me.phone });
    const { bytes } = await slips.make(me, { transRef: paid.payments[0].transRef });
    expect((await slips.upload(me, bytes)).body).toMatchObject({ status: 'SUCCESS', amount: 100 });
    expect(await env.balance(me)).toBe(10_000n);
    expect(await limitOf(me, 'deposit', 'day')).toMatchObject({ used: 100 });
    expect(await offer(me, 1)).toMatchObject(LIMIT_REACHED);
  });

  test('after another slip has used the limit up, and in a time-out', async () => {
    const me = await member();
    await set(me, 'deposit', 'day', 100);
    const [first, second] = [await slips.make(me), await slips.make(me, { amount: '50.00' })];
    expect((await slips.upload(me, first.bytes)).body.status).toBe('SUCCESS');
    expect(await offer(me, 1)).toMatchObject(LIMIT_REACHED);
    expect((await slips.upload(me, second.bytes)).body.status).toBe('SUCCESS');
    const third = await slips.make(me, { amount: '25.00' });
    await exclude(me, '24h');
    expect((await slips.upload(me, third.bytes)).body.status).toBe('SUCCESS');
    expect(await limitOf(me, 'deposit', 'day')).toMatchObject({ used: 175 });
    expect((await request(me, 'POST', '/api/wallet/withdraw', { amount: 175 })).status).toBe(200);
  });
});

describe('a change', () => {
  test('applies a decrease at once, an increase or removal after 24 hours, counted from the first request', async () => {
    const me = await member();
    await set(me, 'deposit', 'day', 100);
    await set(me, 'deposit', 'day', 50);
    expect(await offer(me, 51)).toMatchObject(LIMIT_REACHED);
    await set(me, 'deposit', 'day', 200);
    const { next } = await limitOf(me, 'deposit', 'day');
    expect(next.amount).toBe(200);
    await pass(env, clock, DAY_MS / 2);
    await set(me, 'deposit', 'day', 200);
    expect((await limitOf(me, 'deposit', 'day')).next).toEqual(next);
    expect(await offer(me, 51)).toMatchObject(LIMIT_REACHED);
    await pass(env, clock, DAY_MS / 2 + 1000);
    expect(await limitOf(me, 'deposit', 'day')).toMatchObject({ amount: 200, next: null });
    expect((await offer(me, 51)).status).toBe(200);
    await remove(me, 'deposit', 'day');
    expect(await offer(me, 201)).toMatchObject(LIMIT_REACHED);
    await pass(env, clock, DAY_MS + 1000);
    expect((await limitOf(me, 'deposit', 'day')).amount).toBeNull();
    expect((await offer(me, 5_000)).status).toBe(200);
  });

  test('downwards forgets a raise that waits', () => {
    const now = new Date();
    const row = { kind: 'deposit', period: 'day', amount: 100n, next_amount: 200n, next_from: now } as const;
    expect(afterIntent(row, 100n, now)).toMatchObject({ amount: 100n, next_amount: null, next_from: null });
    expect(afterIntent(row, null, now)).toMatchObject({ amount: 100n, next_amount: null });
  });

  test.each([
    ['deposit', 'day', 0],
    ['deposit', 'day', -1],
    ['deposit', 'day', 1.001],
    ['deposit', 'day', '5'],
    ['deposit', 'session', 5],
    ['reminder', 'day', 30],
    ['reminder', 'session', 14],
    ['reminder', 'session', 30.5],
    ['stakes', 'day', 5],
  ])('of %s a %s to %j is INVALID_REQUEST', async (kind, period, amount) => {
    expect(await set(await member(), kind, period, amount)).toMatchObject({
      status: 400,
      body: { message: 'INVALID_REQUEST' },
    });
  });

  test('is a member’s own', async () => {
    const [me, other] = [await member(), await member()];
    await set(me, 'reminder', 'session', 30);
    expect((await limitOf(me, 'reminder', 'session')).amount).toBe(30);
    expect((await limitOf(other, 'reminder', 'session')).amount).toBeNull();
    for (const [method, path, body] of [
      ['GET', '/api/limits'],
      ['PUT', '/api/limits', { kind: 'deposit', period: 'day', amount: 5 }],
      ['DELETE', '/api/limits/deposit/day'],
      ['POST', '/api/limits/break', { length: '24h' }],
    ] as const)
      expect((await env.call(method, path, body)).body).toEqual({ message: 'invalid-token' });
  });
});

test('a loss limit closes games and offers once it is lost, and lets money home', async () => {
  const me = await member(100_000n);
  await open(me, 'betflix');
  await set(me, 'loss', 'day', 100);
  expect((await transfer(me, 'wallet', 'betflix', 300)).status).toBe(200);
  await play(me, 'betflix', 100, 'lose');
  await refresh(me);
  expect(await limitOf(me, 'loss', 'day')).toMatchObject({ amount: 100, used: 100 });
  expect(await transfer(me, 'wallet', 'betflix', 10)).toMatchObject(LIMIT_REACHED);
  expect(await transferAll(me, 'betflix')).toMatchObject(LIMIT_REACHED);
  expect(await get(me, `/api/autoLogin/betflix/kp${me.id}`)).toMatchObject(LIMIT_REACHED);
  expect(await get(me, '/api/wallet/account/betflix')).toMatchObject(LIMIT_REACHED);
  expect(await offer(me, 10)).toMatchObject(LIMIT_REACHED);
  expect(await request(me, 'GET', '/api/bonus')).toMatchObject(LIMIT_REACHED);
  expect((await transfer(me, 'betflix', 'wallet', 200)).status).toBe(200);
});

test.each([
  ['money into a game', (me: TestMember) => transfer(me, 'wallet', 'betflix', 10)],
  ['everything into a game', (me: TestMember) => transferAll(me, 'betflix')],
  ['the way into a game', (me: TestMember) => get(me, `/api/autoLogin/betflix/kp${me.id}`)],
  ['a game’s password', (me: TestMember) => get(me, '/api/wallet/account/betflix')],
  ['another game', (me: TestMember) => open(me, 'pg')],
  [
    'a bonus',
    async (me: TestMember) =>
      activate(
        me,
        await bonus({ deposit_min: null, award: 'fixed', award_amount: 100n, award_percent: null }),
      ),
  ],
])('rule bypassed by not refreshing: a loss that was not read yet closes %s', async (_what, enter) => {
  const me = await member(100_000n);
  await open(me, 'betflix');
  await set(me, 'loss', 'day', 100);
  await transfer(me, 'wallet', 'betflix', 300);
  await play(me, 'betflix', 100, 'lose');
  expect(await enter(me)).toMatchObject(LIMIT_REACHED);
});

describe('a time-out or self-exclusion', () => {
  test('closes every way in, leaves every way out, and cannot be shortened', async () => {
    const me = await member(100_000n);
    await open(me, 'betflix');
    await transfer(me, 'wallet', 'betflix', 300);
    const { payload } = (await offer(me, 50)).body;
    const { body } = await exclude(me, '6m');
    expect(body.break).toMatchObject({ length: '6m' });
    expect((await offer(me, 10)).body.data).toEqual({ until: body.break.until });
    for (const length of ['24h', '7d', '30d', '6m'])
      expect((await exclude(me, length)).body.break.length).toBe('6m');
    for (const response of [
      await offer(me, 10),
      await request(me, 'GET', '/api/lookup/deposit'),
      await request(me, 'GET', '/api/bonus'),
      await transfer(me, 'wallet', 'betflix', 10),
      await transferAll(me, 'betflix'),
      await get(me, `/api/autoLogin/betflix/kp${me.id}`),
      await get(me, '/api/wallet/account/betflix'),
      await get(me, '/api/wallet/resetpassword/betflix'),
      await open(me, 'joker'),
    ])
      expect(['SELF_EXCLUDED', 'NO_GAME']).toContain(response.body.message);
    expect(await offer(me, 10)).toMatchObject(SELF_EXCLUDED);
    await pay(me, payload, 5_000n);
    expect((await transferAll(me, 'wallet')).status).toBe(200);
    expect((await request(me, 'POST', '/api/wallet/withdraw', { amount: 500 })).status).toBe(200);
    const content = { message_type: 'text', payload: { message: 'ขอความช่วยเหลือ' } };
    expect((await request(me, 'POST', '/api/chat/send-message', { message: content })).status).toBe(200);
    await pass(env, clock, 178 * DAY_MS);
    expect(await offer(me, 10)).toMatchObject(SELF_EXCLUDED);
    await pass(env, clock, 7 * DAY_MS);
    expect((await offer(me, 10)).status).toBe(200);
    expect((await request(me, 'GET', '/api/limits')).body.break).toBeNull();
  });

  test('and the limits are visible to operators, to explain a refused deposit', async () => {
    const me = await member();
    await set(me, 'deposit', 'week', 300);
    await set(me, 'reminder', 'session', 30);
    const { until } = (await exclude(me, '7d')).body.break;
    const support = await operatorHelpers(env).operator('support');
    const seen = await operatorHelpers(env).call(support, 'GET', `/api/operator/members/${me.id}`);
    expect(seen.body).toMatchObject({
      exclusion: { until },
      limits: [{ kind: 'deposit', period: 'week', amount: 300 }],
      hasPin: false,
      ageConfirmed: null,
    });
  });

  test('is one row however often it is requested at once, as no row can be deleted; later it begins anew', async () => {
    const me = await member();
    const { until } = (await exclude(me, '24h')).body.break;
    for (let time = 0; time < 20; time++) expect((await exclude(me, '24h')).body.break.until).toBe(until);
    const rows = async () =>
      (await env.pool.query('select until from play_break where member_id = $1', [me.id])).rows;
    expect(await rows()).toHaveLength(1);
    await pass(env, clock, 60_000);
    expect(Date.parse((await exclude(me, '24h')).body.break.until)).toBeGreaterThan(Date.parse(until));
    expect(await rows()).toHaveLength(2);
  });

  test('can be made longer, and for good', async () => {
    const me = await member();
    await exclude(me, '24h');
    expect((await exclude(me, '1y')).body.break.length).toBe('1y');
    expect((await exclude(me, 'forever')).body.break).toMatchObject({ length: 'forever', until: null });
    await pass(env, clock, 400 * DAY_MS);
    expect((await offer(me, 10)).body).toEqual({ message: 'SELF_EXCLUDED', data: { until: null } });
    await expect(env.pool.query('delete from play_break')).rejects.toThrow('permission denied');
    await expect(env.pool.query('update play_break set until = now()')).rejects.toThrow('permission denied');
  });
});

test('the books add up', async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});
