import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSettings, SETTING_DEFAULTS, type SettingKey, type Settings } from '../../platform/settings.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const SETTINGS = '/api/operator/settings';

const list = async (as: TestOperator) => (await helpers.call(as, 'GET', SETTINGS)).body.settings;
const find = async (as: TestOperator, key: string) =>
  (await list(as)).find((row: { key: string }) => row.key === key);
async function change(as: TestOperator, key: string, value: unknown, version?: number) {
  const seen = version ?? (await find(as, key)).version;
  return helpers.call(as, 'PUT', `${SETTINGS}/${key}`, { value, version: seen, reason: 'as agreed' });
}
const here = (key: SettingKey, value: unknown) =>
  until(async () => JSON.stringify(env.app.deps.settings.get(key)) === JSON.stringify(value));
const request = (member: TestMember, method: string, path: string, body?: unknown) =>
  env.call(method as 'GET', path, body, { token: member.token });

describe('settings', () => {
  test('have words in the console', () => {
    const file = join(import.meta.dirname, '../../../../console/src/locales/th.po');
    const texts = readFileSync(file, 'utf8');
    expect(Object.keys(SETTING_DEFAULTS).filter((key) => !texts.includes(`msgid "setting.${key}"`))).toEqual(
      [],
    );
  });

  test('are all listed with kind, value and default', async () => {
    const all = await list(await helpers.operator('auditor'));
    expect(all.map((row: { key: string }) => row.key).toSorted()).toEqual(
      Object.keys(SETTING_DEFAULTS).toSorted(),
    );
    expect(all.slice(0, 5).map((row: { group: string }) => row.group)).toEqual(Array(5).fill('stop'));
    expect(await find(await helpers.operator('admin'), 'slip.windowMinutes')).toMatchObject({
      kind: 'number',
      unit: 'minutes',
      group: 'deposit',
      value: 60,
      fallback: 60,
      version: 0,
      changedAt: null,
      needsChecker: true,
    });
  });

  test('that multiply have a unit of their own, and counts have none', async () => {
    const all: { key: string; kind: string; unit: string | null }[] = await list(
      await helpers.operator('auditor'),
    );
    const keysOf = (unit: string | null) =>
      all.filter((row) => row.kind === 'number' && row.unit === unit).map(({ key }) => key);
    expect(keysOf('multiple').toSorted()).toEqual([
      'invite.betTimes',
      'risk.amountTimes',
      'risk.stakeTimes',
      'withdraw.playedTimes',
    ]);
    expect(keysOf(null)).toEqual(expect.arrayContaining(['game.creditAlert', 'desk.coinMax', 'risk.slips']));
  });

  test('of promotions are marketing’s to change, those that pay with a second person, and no others', async () => {
    const marketing = await helpers.operator('marketing');
    const put = (key: string, value: unknown) =>
      helpers.call(marketing, 'PUT', `/api/operator/promotion-settings/${key}`, {
        value,
        version: 0,
        reason: 'as agreed',
      });
    expect((await put('refund.days', 20)).body).toEqual({ state: 'DONE', approval: null });
    expect(await helpers.audit('setting:refund.days')).toMatchObject([
      { actor: `operator:${marketing.name}`, before: 30, after: 20 },
    ]);
    expect((await put('refund.percent', 10)).body).toMatchObject({
      state: 'UNCHANGED',
      approval: expect.any(String),
    });
    // Nor does one person alone let friends earn without playing, or from one's own device.
    for (const [key, value] of [
      ['invite.betTimes', 0],
      ['invite.barDevice', false],
    ] as const)
      expect((await put(key, value)).body.approval).toEqual(expect.any(String));
    expect((await put('withdraw.minimum', { BAHT: 1, LAK: 700 })).body.message).toBe('NO_DATA');
    expect((await put('invite.successPercent', 90)).body.message).toBe('INVALID_REQUEST');
    expect((await put('refund.failPercent', 100)).body.message).toBe('INVALID_REQUEST');
    expect((await put('refund.percent', 101)).body.message).toBe('INVALID_REQUEST');
    const plain = await helpers.call(marketing, 'PUT', `${SETTINGS}/refund.dayMax`, {
      value: 1,
      version: 1,
      reason: 'x y',
    });
    expect(plain.status).toBe(403);
  });

  test('reach another instance by its notification, with a history and one audit row a change', async () => {
    const admin = await helpers.operator('admin');
    const other = await openSettings(env.pool);
    expect((await change(admin, 'withdraw.minimum', { BAHT: 200, LAK: 140_000 })).body).toEqual({
      state: 'DONE',
      approval: null,
    });
    await until(async () => other.get('withdraw.minimum').BAHT === 200);
    await other.stop();
    await change(admin, 'withdraw.minimum', { BAHT: 100, LAK: 70_000 });
    const { body } = await helpers.call(admin, 'GET', `${SETTINGS}/withdraw.minimum/history`);
    expect(body.changes).toMatchObject([
      { before: { BAHT: 200 }, after: { BAHT: 100 }, actor: `operator:${admin.name}`, reason: 'as agreed' },
      { before: { BAHT: 100 }, after: { BAHT: 200 } },
    ]);
    expect(await helpers.audit('setting:withdraw.minimum')).toHaveLength(2);
  });

  test('read before a change and answered after it do not undo it', async () => {
    let isNextHeld = false;
    let letGo: (() => void) | undefined;
    const slow = {
      options: env.pool.options,
      query: async (sql: string) => {
        const isHeld = isNextHeld;
        isNextHeld = false;
        const response = await env.pool.query(sql);
        if (isHeld) await new Promise<void>((resume) => (letGo = resume));
        return response;
      },
    };
    const settings = await openSettings(slow as never);
    isNextHeld = true;
    const before = settings.reread();
    await until(async () => letGo);
    await env.set('refresh.seconds', 7);
    await settings.reread();
    letGo!();
    await before;
    expect(settings.get('refresh.seconds')).toBe(7);
    await settings.stop();
    await env.set('refresh.seconds', SETTING_DEFAULTS['refresh.seconds']);
  });

  test('changed by another meanwhile are refused', async () => {
    const [one, two] = [await helpers.operator('admin'), await helpers.operator('admin')];
    const both = await Promise.all([change(one, 'qr.minutes', 9, 0), change(two, 'qr.minutes', 8, 0)]);
    expect(both.map((response) => response.status).toSorted()).toEqual([200, 409]);
  });

  test.each<[SettingKey, unknown]>([
    ['qr.minutes', 0],
    ['qr.minutes', 1.5],
    ['qr.minutes', '5'],
    ['qr.minutes', 1e9],
    ['qr.minimum', { BAHT: 0.001, LAK: 1 }],
    ['qr.minimum', { BAHT: 1, LAK: 1.5 }],
    ['qr.minimum', { BAHT: -1, LAK: 1 }],
    ['qr.minimum', { BAHT: 1 }],
    ['qr.minimum', { BAHT: 1, LAK: 1, EUR: 1 }],
    ['refund.most', { BAHT: 100_000_000_000.01, LAK: 1 }],
    ['refund.most', { BAHT: 1, LAK: 10_000_000_000_001 }],
    ['withdraw.maximum', { BAHT: 1e15, LAK: 1e15 }],
    ['withdraw.minimum', { BAHT: 60_000, LAK: 700 }],
    ['withdraw.maximum', { BAHT: 50, LAK: 50_000_000 }],
    ['slip.closedHours', [{ from: '25:00', to: '00:15' }]],
    ['slip.closedHours', [{ from: '23:00', to: '00:15', x: 1 }]],
    ['deposit.open', 'yes'],
    ['service.terminated', true],
  ])('%s does not take %j', async (key, value) => {
    expect(await change(await helpers.operator('admin'), key, value)).toMatchObject({
      status: 400,
      body: { message: 'INVALID_REQUEST' },
    });
  });

  test('of the time to undo a decision may be none, other spans of time may not', async () => {
    const admin = await helpers.operator('admin');
    expect((await change(admin, 'desk.undoSeconds', 0)).status).toBe(200);
    expect((await find(admin, 'desk.undoSeconds')).value).toBe(0);
    // Never, as its description says.
    expect((await change(admin, 'session.idleDays', 0)).status).toBe(200);
    expect((await change(admin, 'desk.claimMinutes', 0)).status).toBe(400);
  });

  test('that do not exist are 404', async () => {
    const admin = await helpers.operator('admin');
    for (const key of ['nothing', '__proto__', 'constructor'])
      expect((await change(admin, key, 1, 0)).status).toBe(404);
  });

  test('take effect only with a second person where they control second approvals', async () => {
    const [maker, checker] = [await helpers.operator('admin'), await helpers.operator('admin')];
    const { body } = await change(maker, 'desk.makerChecker', false);
    expect(body).toEqual({ state: 'UNCHANGED', approval: expect.stringMatching(/^AP/) });
    expect((await change(maker, 'desk.makerChecker', false)).body).toMatchObject({
      message: 'APPROVAL_PENDING',
    });
    const approve = (as: TestOperator, id: string) =>
      helpers.call(as, 'POST', `/api/operator/approvals/${id}/approve`, {});
    expect((await approve(maker, body.approval)).body).toMatchObject({ message: 'APPROVAL_MAKER' });
    expect((await find(maker, 'desk.makerChecker')).value).toBe(true);
    expect((await approve(checker, body.approval)).status).toBe(200);
    expect((await find(maker, 'desk.makerChecker')).value).toBe(false);
    await here('desk.makerChecker', false);
    await change(maker, 'desk.makerChecker', true);
    await here('desk.makerChecker', true);
  });
});

describe('what guards money on its way out', () => {
  test.each<[SettingKey, unknown]>([
    ['withdraw.maximum', { BAHT: 1_000_000, LAK: 700_000_000 }],
    ['withdraw.automaticMax', { BAHT: 50_000, LAK: 35_000_000 }],
    ['withdraw.automaticDayMax', { BAHT: 1_000_000, LAK: 700_000_000 }],
    ['withdraw.playedTimes', 0],
    ['account.coolingHours', 1],
    ['unknown.absentGraceSeconds', 1],
    ['login.failuresMax', 1_000_000],
    ['login.windowMinutes', 1],
    ['otp.triesMax', 1_000_000],
    ['refund.dayMax', 1_000],
    ['refund.balanceMax', { BAHT: 1_000_000, LAK: 700_000_000 }],
    ['refund.successPercent', 101],
    ['bonus.depositHours', 8_760],
    ['invite.successPercent', 0],
    ['invite.failPercent', 0],
  ])('%s stays as it is until a second person agrees', async (key, value) => {
    const [maker, checker] = [await helpers.operator('admin'), await helpers.operator('admin')];
    const before = await find(maker, key);
    expect(before.needsChecker).toBe(true);
    const { body } = await change(maker, key, value);
    expect(body).toEqual({ state: 'UNCHANGED', approval: expect.stringMatching(/^AP/) });
    expect((await find(maker, key)).value).toEqual(before.value);
    await helpers.call(checker, 'POST', `/api/operator/approvals/${body.approval}/approve`, {});
    expect((await find(maker, key)).value).toEqual(value);
    // The tests that follow sign in and withdraw by the defaults.
    await env.set(key, before.value);
  });
});

describe('a switch', () => {
  /** What another instance holds. */
  let other: Settings;
  beforeAll(async () => {
    other = await openSettings(env.pool);
  });
  afterAll(() => other.stop());

  const off = async (key: SettingKey) => {
    const admin = await helpers.operator('admin');
    expect((await change(admin, key, false)).body.state).toBe('DONE');
    await here(key, false);
    await until(async () => other.get(key) === false);
    expect((await helpers.audit(`setting:${key}`)).at(-1)).toMatchObject({
      actor: `operator:${admin.name}`,
      after: false,
    });
    return async () => {
      await change(admin, key, true);
      await here(key, true);
    };
  };

  test('stops deposits: none is offered or begun', async () => {
    const member = await env.member();
    const again = await off('deposit.open');
    expect((await request(member, 'GET', '/api/lookup/deposit')).body).toMatchObject({
      banks: [],
      wallets: [],
    });
    // Payments that were made before can be proven.
    expect((await request(member, 'GET', '/api/lookup/slip')).body.open).toBe(true);
    for (const [path, body] of [
      ['qrcode/KBANK', { amount: 100 }],
      ['wallet/truelink', { link: 'x' }],
    ] as const)
      expect((await request(member, 'POST', `/api/${path}`, body)).body).toEqual({ message: 'NO_BANK' });
    await again();
    expect((await request(member, 'POST', '/api/qrcode/KBANK', { amount: 100 })).status).toBe(200);
  });

  test('stops withdrawals, and no money is held', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const again = await off('withdraw.open');
    expect((await request(member, 'GET', '/api/lookup/withdraw')).body.isOpen).toBe(false);
    for (const path of ['withdraw', 'withdrawAll'])
      expect(await request(member, 'POST', `/api/wallet/${path}`, { amount: 500 })).toMatchObject({
        status: 403,
        body: { message: 'UNAUTHORIZED' },
      });
    expect(await env.balance(member)).toBe(100_000n);
    await again();
    expect((await request(member, 'POST', '/api/wallet/withdraw', { amount: 500 })).status).toBe(200);
  });

  test('stops games: none is entered, money can be taken out', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    await request(member, 'GET', '/api/wallet/activate/betflix');
    const move = (from: string, to: string) =>
      request(member, 'POST', '/api/wallet/transfer', { from, to, amount: 100 });
    expect((await move('wallet', 'betflix')).status).toBe(200);
    const again = await off('game.open');
    const refused = [
      await move('wallet', 'betflix'),
      await request(member, 'GET', '/api/wallet/activate/imi'),
      await request(member, 'GET', `/api/autoLogin/betflix/kp${member.id}`),
      await request(member, 'POST', '/api/wallet/transferAll', { to: 'betflix' }),
    ];
    for (const response of refused) expect(response.body).toMatchObject({ message: 'PROVIDER_UNAVAILABLE' });
    expect((await move('betflix', 'wallet')).body).toMatchObject({ status: 'SUCCESS' });
    await again();
    expect((await move('wallet', 'betflix')).status).toBe(200);
  });

  test('stops registration from its first step on, and sends no code', async () => {
    const again = await off('register.open');
    const phoneNumber = '0899999991';
    const form = {
      name: 'ก',
      username: phoneNumber,
      password: 'x',
      sourceCode: 'friend',
      bankCode: 'KBANK',
      bankAccountName: 'สมชาย ใจดี',
      bankAccountNo: '9900112233',
    };
    const steps = async () => [
      (await env.call('POST', '/api/otp/send', { phoneNumber })).body,
      (await env.call('POST', '/api/account/validate', form)).body,
      (await env.call('POST', '/api/account', form)).body,
    ];
    for (const response of await steps()) expect(response).toMatchObject({ message: 'REGISTER_FAIL' });
    await again();
    expect(await steps()).toMatchObject([
      { code: 'SUCCESS' },
      { message: 'UNVERIFIED_OTP' },
      { message: 'UNVERIFIED_OTP' },
    ]);
  });

  test('ends the whole service with a second person, and takes it up again with one', async () => {
    const [maker, checker] = [await helpers.operator('admin'), await helpers.operator('admin')];
    const member = await env.member();
    const { body } = await change(maker, 'service.terminated', 'gone');
    expect((await request(member, 'GET', '/api/wallet')).status).toBe(200);
    await helpers.call(checker, 'POST', `/api/operator/approvals/${body.approval}/approve`, {});
    await here('service.terminated', 'gone');
    await until(async () => other.get('service.terminated') === 'gone');
    expect((await request(member, 'GET', '/api/lookup/active')).body).toEqual({
      active: false,
      terminated: 'gone',
    });
    expect((await request(member, 'GET', '/api/wallet')).status).toBe(410);
    expect((await change(maker, 'service.terminated', false)).body).toEqual({
      state: 'DONE',
      approval: null,
    });
    await here('service.terminated', false);
    expect((await request(member, 'GET', '/api/wallet')).status).toBe(200);
  });
});
