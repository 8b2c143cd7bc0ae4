import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { refundHelpers } from '../refunds/testing-refunds.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const games = gameHelpers(env);
const refunds = refundHelpers(env);
const [maker, lead, risk, support] = await Promise.all(
  ['finance', 'finance-lead', 'risk', 'support'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

let serial = 0;
const entry = (more: object = {}) => ({
  direction: 'credit',
  amount: 100.5,
  category: 'goodwill',
  reason: 'late payout',
  key: `key-${++serial}-of-test`,
  ...more,
});
const enter = (as: TestOperator | null, member: TestMember, body: object) =>
  operators.call(as, 'POST', `/api/operator/members/${member.id}/entries`, body);

describe('a manual entry', () => {
  test('moves exactly the amount, once for each key, with one statement and one audit row', async () => {
    const member = await env.member({ amountMinor: 10_000n });
    const body = entry();
    const responses = await Promise.all(Array.from({ length: 40 }, () => enter(maker!, member, body)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"state":"SUCCESS","approval":null}']),
    );
    expect(await env.balance(member)).toBe(20_050n);
    expect(await operators.audit(`member:${member.id}`)).toMatchObject([
      { actor: 'test' },
      {
        actor: `operator:${maker!.name}`,
        action: 'manual.credit',
        after: { amount: '10050', category: 'goodwill' },
        reason: 'late payout',
      },
    ]);
    expect(await enter(maker!, member, { ...body, amount: 7 })).toMatchObject({
      status: 409,
      body: { message: 'IDEMPOTENCY_CONFLICT' },
    });
  });

  test.each([
    ['without a reason', { reason: '' }, 400, 'INVALID_REQUEST'],
    ['of nothing', { amount: 0 }, 400, 'TRANSFER_MINIMUM'],
    ['below nothing', { amount: -5 }, 400, 'TRANSFER_MINIMUM'],
    ['with parts of a satang', { amount: 1.001 }, 400, 'TRANSFER_MINIMUM'],
    ['of an unknown kind', { category: 'gift' }, 400, 'INVALID_REQUEST'],
    ['of more than the wallet holds', { direction: 'debit', amount: 500 }, 400, 'MONEY_NOT_ENOUGH'],
  ])('%s moves nothing', async (_name, more, status, message) => {
    const member = await env.member({ amountMinor: 10_000n });
    expect(await enter(maker!, member, entry(more))).toMatchObject({ status, body: { message } });
    expect(await env.balance(member)).toBe(10_000n);
  });

  test('is for those who may', async () => {
    const member = await env.member();
    expect([
      (await enter(support!, member, entry())).status,
      (await enter(null, member, entry())).status,
    ]).toEqual([403, 401]);
  });

  test('above the limit waits for a second person, and is then booked once', async () => {
    const member = await env.member();
    const requested = await enter(maker!, member, entry({ amount: 1000.01 }));
    expect(requested).toMatchObject({
      status: 200,
      body: { state: 'PENDING', approval: expect.any(String) },
    });
    expect(await env.balance(member)).toBe(0n);
    expect(await enter(maker!, member, entry({ amount: 2000 }))).toMatchObject({
      status: 409,
      body: { message: 'APPROVAL_PENDING', data: { approval: requested.body.approval } },
    });
    const path = `/api/operator/approvals/${requested.body.approval}/approve`;
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => operators.call(lead!, 'POST', path, {})),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await env.balance(member)).toBe(100_001n);
    const { rows } = await env.owner.query(
      'select operator_id, approval_id from manual_entry where member_id = $1',
      [member.id],
    );
    expect(rows).toEqual([{ operator_id: maker!.id, approval_id: requested.body.approval }]);
  });
});

describe('entries by one person within a day', () => {
  const own = (as: TestOperator, member: TestMember, amount: number, more: object = {}) =>
    enter(as, member, entry({ amount, ...more }));
  const stateOf = async (response: ReturnType<typeof own>) => (await response).body.state;

  test('add up to the limit for each member, however many are made at once', async () => {
    const [cutter, other] = [await operators.operator('finance'), await operators.operator('finance')];
    const [member, second] = [await env.member(), await env.member()];
    const responses = await Promise.all(Array.from({ length: 40 }, () => own(cutter, member, 300)));
    const states = responses.map(({ body }) => body.state ?? body.message);
    expect([3, 1, 36]).toEqual(
      ['SUCCESS', 'PENDING', 'APPROVAL_PENDING'].map((one) => states.filter((state) => state === one).length),
    );
    expect(await env.balance(member)).toBe(90_000n);
    expect(await stateOf(own(cutter, second, 1000))).toBe('SUCCESS');
    expect(await stateOf(own(other, second, 1000))).toBe('SUCCESS');
    const takes = { direction: 'debit' };
    expect(await stateOf(own(cutter, second, 1000, takes))).toBe('SUCCESS');
    expect(await stateOf(own(cutter, second, 0.01, takes))).toBe('PENDING');
  });

  test('count a key once, and no more after a day', async () => {
    const cutter = await operators.operator('finance');
    const member = await env.member();
    const same = { key: 'the-same-entry' };
    for (let turn = 0; turn < 3; turn++)
      expect(await stateOf(own(cutter, member, 400, same))).toBe('SUCCESS');
    expect(await stateOf(own(cutter, member, 600))).toBe('SUCCESS');
    await env.owner.query("update small_action set at = at - interval '1 day' where operator_id = $1", [
      cutter.id,
    ]);
    expect(await stateOf(own(cutter, member, 1000))).toBe('SUCCESS');
    expect(await stateOf(own(cutter, member, 0.01))).toBe('PENDING');
  });

  test('count double under one key for two amounts that race: only one is booked', async () => {
    const cutter = await operators.operator('finance');
    const member = await env.member();
    for (let turn = 0; turn < 4; turn++) {
      const key = `raced-key-${turn}`;
      await Promise.all([own(cutter, member, 1, { key }), own(cutter, member, 400, { key })]);
    }
    expect(await env.balance(member)).toBeLessThanOrEqual(100_000n);
  });
});

test('the trail tells in which currency amounts are that name none', async () => {
  const [auditor, finance] = [await operators.operator('auditor'), await operators.operator('finance')];
  const member = await env.member({ amountMinor: 400_000n });
  const { id } = (await env.call('POST', '/api/wallet/withdraw', { amount: 3000 }, { token: member.token }))
    .body;
  await operators.call(finance, 'POST', `/api/operator/withdrawals/${id}/claim`);
  await operators.call(finance, 'POST', `/api/operator/members/${member.id}/notes`, { text: 'seen' });
  const currencies = async (query: string) =>
    (await operators.call(auditor, 'GET', `/api/operator/audit?limit=1&${query}`)).body.rows.map(
      (row: { currency: string | null }) => row.currency,
    );
  for (const subject of [`withdrawal:${id}`, `member:${member.id}`])
    expect(await currencies(`subject=${subject}`)).toEqual(['BAHT']);
  await operators.call(await operators.operator('admin'), 'PUT', '/api/operator/roles/night', {
    permissions: ['today.read'],
    reason: 'night shift',
  });
  expect(await currencies('subject=role:night')).toEqual([null]);
});

describe('a member', () => {
  test('is found by phone, id, name and account number, and shown masked', async () => {
    const member = await env.member();
    const find = async (text: string) =>
      (await operators.call(support!, 'GET', `/api/operator/members?q=${encodeURIComponent(text)}`)).body
        .members;
    const spaced = `${member.accountNo.slice(0, 3)}-${member.accountNo.slice(3)}`;
    for (const text of [member.phone, String(member.id), member.accountNo, spaced])
      expect([text, (await find(text)).map((row: { id: string }) => row.id)]).toEqual([
        text,
        [String(member.id)],
      ]);
    expect((await find('ทดสอบ')).length).toBeGreaterThan(1);
    const page = await operators.call(support!, 'GET', `/api/operator/members/${member.id}`);
    expect(page.text).not.toContain(member.phone);
    expect(page.text).not.toContain(member.accountNo);
  });

  test('shows the full numbers only to who may, and the trail tells of it', async () => {
    const member = await env.member();
    const path = `/api/operator/members/${member.id}/reveal`;
    expect((await operators.call(support!, 'POST', path, {})).status).toBe(403);
    const shown = await operators.call(risk!, 'POST', path, { reason: 'phone lost' });
    expect(shown.body).toEqual({ phone: member.phone, accountNo: member.accountNo });
    expect(await operators.audit(`member:${member.id}`)).toMatchObject([
      { actor: `operator:${risk!.name}`, action: 'member.reveal', reason: 'phone lost' },
    ]);
  });

  test('is suspended and let in again as they are seen, and closed only with nothing left', async () => {
    const member = await env.member({ amountMinor: 5_000n });
    const set = (seen: string, status: string) =>
      operators.call(risk!, 'POST', `/api/operator/members/${member.id}/status`, {
        status,
        seen,
        reason: 'requested',
      });
    const wallet = () => env.call('GET', '/api/wallet', undefined, { token: member.token });
    expect((await set('ACTIVE', 'SUSPENDED')).status).toBe(200);
    expect((await wallet()).body.message).toBe('INACTIVE_USER');
    expect(await set('ACTIVE', 'CLOSED')).toMatchObject({
      status: 409,
      body: { data: { state: 'SUSPENDED' } },
    });
    expect((await set('SUSPENDED', 'ACTIVE')).status).toBe(200);
    expect((await wallet()).status).toBe(200);
    expect((await set('ACTIVE', 'CLOSED')).status).toBe(409);
    expect((await enter(maker!, member, entry({ direction: 'debit', amount: 50 }))).status).toBe(200);
    expect((await set('ACTIVE', 'CLOSED')).status).toBe(200);
    expect((await set('CLOSED', 'ACTIVE')).status).toBe(409);
    expect((await wallet()).status).toBe(410);
  });

  test('rule bypassed in the console: is not closed with money in an open bet, nor while a game is silent', async () => {
    const member = await env.member({ amountMinor: 5_000n });
    const close = async () => {
      const body = { status: 'CLOSED', seen: 'ACTIVE', reason: 'requested' };
      return (await operators.call(risk!, 'POST', `/api/operator/members/${member.id}/status`, body)).body
        .message;
    };
    const draw = await refunds.openBet(member, 50);
    await games.refresh(member);
    expect(await games.gameBalance(member, 'huayhd')).toBe(0n);
    expect(await close()).toBe('ROW_CHANGED');
    await draw();
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    expect(await close()).toBe('PROVIDER_UNAVAILABLE');
    await games.transferAll(member, 'wallet');
    const won = Number(await env.balance(member)) / 100;
    if (won > 0) await enter(maker!, member, entry({ direction: 'debit', amount: won }));
    expect(await close()).toBe('OK');
  });

  test('rule bypassed in the console: is not closed while a payment that the member reported is looked for', async () => {
    const member = await env.member();
    await env.set('deposit.manual', true);
    expect((await env.call('POST', '/api/wallet/add', { amount: 100 }, { token: member.token })).status).toBe(
      200,
    );
    const body = { status: 'CLOSED', seen: 'ACTIVE', reason: 'requested' };
    expect(
      await operators.call(risk!, 'POST', `/api/operator/members/${member.id}/status`, body),
    ).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED' },
    });
  });
});

test('an export keeps Thai, tames formulas, shows no number in full, and is audited', async () => {
  const member = await env.member();
  await env.owner.query("update member set name = '=1+1 สมชาย' where id = $1", [member.id]);
  const file = await operators.call(lead!, 'GET', '/api/operator/export/members.csv');
  expect(file.status).toBe(200);
  expect(file.headers['content-disposition']).toBe('attachment; filename="members.csv"');
  expect(file.text.startsWith('\uFEFFid,phone,name')).toBe(true);
  expect(file.text).toContain("'=1+1 สมชาย");
  expect(file.text).not.toContain(member.phone);
  expect(await operators.audit('export:members')).toMatchObject([
    { actor: `operator:${lead!.name}`, action: 'export' },
  ]);
  expect((await operators.call(lead!, 'GET', '/api/operator/export/session.csv')).status).toBe(404);
  expect((await operators.call(support!, 'GET', '/api/operator/export/members.csv')).status).toBe(403);
});
