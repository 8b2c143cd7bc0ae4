import { DAY_MS } from '@krapao/contract/durations';
import { io } from 'socket.io-client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { pushedClock } from '../../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const helpers = operatorHelpers(env);
const LIST = '/api/operator/deposit-accounts';
const read = () => env.app.runJob('feeds.read');
await read();

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

interface Row {
  id: string;
  bankCode: string;
  mode: string;
  accountNo: string;
  version: number;
  today: number;
  isFull: boolean;
  state: string;
}
const rows = async (as: TestOperator): Promise<Row[]> => (await helpers.call(as, 'GET', LIST)).body.channels;
const find = async (as: TestOperator, bankCode: string, mode = 'AUTO') =>
  (await rows(as)).find((row) => row.bankCode === bankCode && row.mode === mode)!;
const set = async (as: TestOperator, row: Row, to: object) =>
  helpers.call(as, 'PUT', `${LIST}/${row.id}`, {
    state: 'OPEN',
    ceiling: null,
    version: row.version,
    reason: 'as agreed',
    ...to,
  });
const shown = async (member: TestMember): Promise<string[]> =>
  (await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token })).body.banks.map(
    (bank: Record<string, string>) => `${bank.bankCode} ${bank.mode} ${bank.bankAccountNo}`,
  );
const pay = async (member: TestMember, amount: number) => {
  await env.control('transfer', { phone: member.phone, amount, toBank: 'SCB', toAccount: '2223334445' });
  await read();
};
const SCB = 'SCB AUTO 2223334445';

describe('an account members pay into', () => {
  test('that is closed or opened again is known to the apps of members at once', async () => {
    const [lead, member] = [await helpers.operator('finance-lead'), await env.member()];
    const socket = io(env.url, { auth: { token: member.token }, transports: ['websocket'] });
    onTestFinished(() => void socket.close());
    const parts: string[] = [];
    socket.on('site', ({ part }) => parts.push(part));
    await new Promise((resume) => socket.once('connect', () => resume(null)));
    // What the start of the server changed arrives before this.
    const event = [{ memberId: '*', event: 'site', payload: { part: 'mark' } }];
    await env.owner.query("select pg_notify('member_event', $1)", [JSON.stringify(event)]);
    await until(async () => parts.includes('mark'));
    parts.length = 0;
    expect((await set(lead, await find(lead, 'GSB'), { state: 'CLOSED' })).status).toBe(200);
    await until(async () => parts.length === 1);
    expect((await set(lead, await find(lead, 'GSB'), {})).status).toBe(200);
    await until(async () => parts.length === 2);
    expect(parts).toEqual(['settings', 'settings']);
  });

  test('disappears from the modal at its daily ceiling and is back the next day; money received is credited', async () => {
    const [lead, member] = [await helpers.operator('finance-lead'), await env.member()];
    expect((await set(lead, await find(lead, 'SCB'), { ceiling: 300 })).status).toBe(200);
    await pay(member, 299.99);
    expect(await shown(member)).toContain(SCB);
    await pay(member, 50);
    expect(await shown(member)).not.toContain(SCB);
    expect(await find(lead, 'SCB')).toMatchObject({ today: 349.99, isFull: true, ceiling: 300 });
    await pay(member, 10);
    expect(await env.balance(member)).toBe(35_999n);
    clock.push(DAY_MS);
    expect(await shown(await env.member())).toContain(SCB);
    clock.push(-DAY_MS);
    await set(lead, await find(lead, 'SCB'), {});
  });

  test('is not shown while paused, and late money is still credited', async () => {
    const [lead, member] = [await helpers.operator('finance-lead'), await env.member()];
    await set(lead, await find(lead, 'SCB'), { state: 'PAUSED' });
    expect(await shown(member)).not.toContain(SCB);
    await pay(member, 40);
    expect(await env.balance(member)).toBe(4_000n);
    await set(lead, await find(lead, 'KBANK', 'QR'), { state: 'PAUSED' });
    const qr = () => env.call('POST', '/api/qrcode/KBANK', { amount: 10 }, { token: member.token });
    expect((await qr()).body).toMatchObject({ message: 'NO_BANK' });
    for (const [code, mode] of [['SCB'], ['KBANK', 'QR']] as const)
      await set(lead, await find(lead, code, mode), {});
    expect((await qr()).body).toMatchObject({ hasQrcode: true });
    const trail = (await helpers.audit(`deposit-account:${(await find(lead, 'SCB')).id}`)).slice(-2);
    expect(trail.map((row) => [row.action, row.before, row.after])).toMatchObject([
      ['channel.change', { state: 'OPEN' }, { state: 'PAUSED' }],
      ['channel.change', { state: 'PAUSED' }, { state: 'OPEN' }],
    ]);
  });

  test('changed by another meanwhile is refused, and so is nonsense', async () => {
    const lead = await helpers.operator('finance-lead');
    const row = await find(lead, 'GSB');
    const both = await Promise.all([set(lead, row, { ceiling: 5 }), set(lead, row, { ceiling: 6 })]);
    expect(both.map((response) => response.status).toSorted()).toEqual([200, 409]);
    for (const ceiling of [0, -1, 0.001, '5'])
      expect((await set(lead, await find(lead, 'GSB'), { ceiling })).status).toBe(400);
    expect((await set(lead, { ...row, id: '999' }, {})).status).toBe(404);
    expect((await set(lead, { ...row, id: 'x' }, {})).status).toBe(404);
  });

  test('is offered in the order operators give', async () => {
    const [lead, member] = [await helpers.operator('finance-lead'), await env.member()];
    const ids = (await rows(lead)).map((row) => row.id);
    const gsb = (await find(lead, 'GSB')).id;
    const order = (to: string[]) =>
      helpers.call(lead, 'POST', '/api/operator/deposit-account-order', { ids: to });
    await order([gsb, ...ids.filter((id) => id !== gsb)]);
    expect((await shown(member))[0]).toMatch(/^GSB/);
    expect((await order(ids.slice(1))).body).toMatchObject({ message: 'ROW_CHANGED' });
  });
});

describe('a number members pay to', () => {
  const account = {
    bankCode: 'SCB',
    bankType: 'BANK',
    mode: 'AUTO',
    accountName: 'บริษัท กระเป๋า จำกัด',
    accountNo: '9990001112',
    currency: 'BAHT',
    staticQr: null,
    replaces: null as string | null,
    reason: 'new account',
  };

  test('changes only with a second person; the old account is paused, not forgotten', async () => {
    const [maker, checker] = [await helpers.operator('finance-lead'), await helpers.operator('finance-lead')];
    const member = await env.member();
    const old = await find(maker, 'SCB');
    const request = () => helpers.call(maker, 'POST', LIST, { ...account, replaces: old.id });
    const { body: requested } = await request();
    expect(requested).toEqual({ state: 'OPEN', approval: expect.stringMatching(/^AP/) });
    expect((await request()).body).toMatchObject({ message: 'APPROVAL_PENDING' });
    expect(await shown(member)).toContain(SCB);
    const approve = (as: TestOperator) =>
      helpers.call(as, 'POST', `/api/operator/approvals/${requested.approval}/approve`, {});
    expect((await approve(maker)).body).toMatchObject({ message: 'APPROVAL_MAKER' });
    const responses = await Promise.all(Array.from({ length: 5 }, () => approve(checker)));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(await shown(member)).toContain('SCB AUTO 9990001112');
    expect(await shown(member)).not.toContain(SCB);
    await pay(member, 20);
    expect(await env.balance(member)).toBe(2_000n);
  });

  test.each([
    { bankCode: 'NOBANK' },
    { accountNo: '12' },
    { accountNo: '2223334445' },
    { bankType: 'WW', bankCode: 'SCB' },
    { bankType: 'WALLET', bankCode: 'TRUEMONEY', mode: 'QR', accountNo: '0811111111' },
  ])('%j is refused', async (change) => {
    const lead = await helpers.operator('finance-lead');
    const response = await helpers.call(lead, 'POST', LIST, {
      ...account,
      accountNo: '7770001112',
      ...change,
    });
    expect(response).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
  });

  test('in place of an account that is not there is refused', async () => {
    const lead = await helpers.operator('finance-lead');
    const response = await helpers.call(lead, 'POST', LIST, {
      ...account,
      accountNo: '7770001113',
      replaces: '999',
    });
    expect(response.status).toBe(404);
  });
});
