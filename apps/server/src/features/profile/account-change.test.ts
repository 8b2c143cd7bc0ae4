import { HOUR_MS } from '@krapao/contract/durations';
import { io } from 'socket.io-client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { untilWaiting } from '../../testing/lock-waiters.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pushedClock } from '../testing.ts';
import { WITHDRAWAL_CHECK } from '../withdrawals/read.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('withdraw.oneOpen', false);
const operators = operatorHelpers(env);
const [lead, finance, support] = await Promise.all(
  ['finance-lead', 'finance', 'support'].map((role) => operators.operator(role)),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

let serial = 0;
/** Another unused account. */
const another = (intent: object = {}) => ({
  name: 'ทดสอบ ระบบ',
  bankCode: 'SCB',
  bankAccountName: 'ทดสอบ ระบบ',
  bankAccountNo: `88${String(++serial).padStart(8, '0')}`,
  ...intent,
});
const put = (member: TestMember | null, body: object) =>
  env.call('PUT', '/api/account/profile', body, member ? { token: member.token } : {});
const profile = async (member: TestMember) =>
  (await env.call('GET', '/api/account/profile', undefined, { token: member.token })).body;
const withdrawRequest = (member: TestMember) =>
  env.call('DELETE', '/api/account/profile/request', undefined, { token: member.token });
const requestOf = async (member: TestMember): Promise<string> => {
  const { body } = await operators.call(lead!, 'GET', '/api/operator/approvals?state=PENDING&limit=100');
  return body.approvals.find((row: { subject: string }) => row.subject === `member:${member.id}`).id;
};
const decide = (as: typeof lead, id: string, what: string, body: object = {}) =>
  operators.call(as!, 'POST', `/api/operator/approvals/${id}/${what}`, body);
const refusal = (status: number, message: string) => ({ status, body: { message } });

const stateOf = async (id: string) =>
  (await env.owner.query('select state, lapsed_because from approval where id = $1', [id])).rows[0];
const bankOf = async (member: TestMember) =>
  (await env.owner.query('select bank_code, status from bank_account where member_id = $1', [member.id]))
    .rows;

/** A member whose new account an operator has just approved. */
async function changed() {
  const member = await env.member({ amountMinor: 1_000_000n });
  const wanted = another();
  await put(member, wanted);
  expect(await decide(lead, await requestOf(member), 'approve')).toMatchObject({ status: 200 });
  return { member, wanted };
}
const withdraw = async (member: TestMember, amount: number): Promise<string> =>
  (await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token })).body.id;
const withdrawal = async (id: string) =>
  (
    await env.owner.query(
      'select w.status, a.bank_code from withdrawal w join bank_account a on a.id = w.bank_account_id where w.id = $1',
      [id],
    )
  ).rows[0];

/** Queries the bank until it has paid. */
const paid = (id: string) =>
  until(async () => {
    await env.app.runJob('withdrawals.ask', { id });
    return (await withdrawal(id)).status === 'SUCCESS';
  });

describe('a profile', () => {
  test('is changed sixty times an hour: neither does it fill the audit trail nor tell whose account is whose', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const renamed = (name: string) =>
      put(member, another({ name, bankCode: 'KBANK', bankAccountNo: member.accountNo }));
    for (let time = 1; time <= 60; time++) expect((await renamed(`Name ${time}`)).status).toBe(200);
    const limited = refusal(429, 'REQUEST_LIMIT');
    expect(await renamed('Name 61')).toMatchObject(limited);
    const guess = another({ bankCode: 'KBANK', bankAccountNo: other.accountNo });
    expect(await put(member, guess)).toMatchObject(limited);
    const trail = await operators.audit(`member:${member.id}`);
    expect(trail.filter(({ action }) => action === 'member.name')).toHaveLength(60);
  });

  test('takes a name at once and leaves the account as it is', async () => {
    const member = await env.member();
    const same = another({ bankCode: 'KBANK', bankAccountNo: member.accountNo });
    expect(await put(member, { ...same, name: ' สมชาย   ใจดี ' })).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS' },
    });
    expect(await profile(member)).toMatchObject({
      profile: { name: 'สมชาย ใจดี' },
      bankAccount: { bankCode: 'KBANK', bankAccountName: 'ทดสอบ ระบบ' },
      bankAccountRequest: null,
      payoutsFrom: null,
      coolingHours: 24,
    });
    expect(await operators.audit(`member:${member.id}`)).toMatchObject([
      { actor: `member:${member.id}`, action: 'member.name', before: { name: 'ทดสอบ ระบบ' } },
    ]);
  });

  test('refuses callers without a session, unknown banks, non-English names where English is required, and taken accounts', async () => {
    const [member, other] = [await env.member(), await env.member()];
    expect((await put(null, another())).status).toBe(401);
    expect(await put(member, another({ bankCode: 'NONE' }))).toMatchObject(refusal(400, 'INVALID_BANK'));
    expect(await put(member, another({ bankAccountNo: '12' }))).toMatchObject(refusal(400, 'INVALID_BANK'));
    expect(await put(member, another({ bankCode: 'KTB' }))).toMatchObject(
      refusal(400, 'BANK_ACCOUNT_NAME_ENG'),
    );
    expect(await put(member, another({ name: '<b>' }))).toMatchObject(refusal(400, 'INVALID_USER_INFO'));
    const taken = another({ bankCode: 'KBANK', bankAccountNo: other.accountNo, name: 'ใหม่' });
    expect(await put(member, taken)).toMatchObject(refusal(400, 'EXISTING_BANK'));
    expect((await profile(member)).profile.name).toBe('ทดสอบ ระบบ');
  });
});

describe('a bank that is no longer offered', () => {
  test('is refused, unless the member is paid there already', async () => {
    const [member, other] = [await env.member(), await env.member()];
    await env.owner.query("update bank_account set bank_code = 'CITI' where member_id = $1", [member.id]);
    expect(await put(member, another({ bankCode: 'TBANK' }))).toMatchObject(refusal(400, 'INVALID_BANK'));
    expect(await put(other, another({ bankCode: 'CITI' }))).toMatchObject(refusal(400, 'INVALID_BANK'));
    expect((await put(member, another({ bankCode: 'CITI' }))).body).toEqual({ status: 'PENDING' });
  });
});

describe('a request for another account', () => {
  test('waits, shows both accounts masked, and the old one is paid until it is approved', async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    const wanted = another();
    expect(await put(member, wanted)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect(await put(member, wanted)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect(await put(member, another())).toMatchObject(refusal(429, 'REQUEST_LIMIT'));
    expect(await profile(member)).toMatchObject({
      bankAccount: { bankCode: 'KBANK' },
      bankAccountRequest: {
        status: 'PENDING',
        bankCode: 'SCB',
        bankAccountNo: `••${wanted.bankAccountNo.slice(-4)}`,
      },
    });
    const before = await withdraw(member, 500);
    await env.app.runJob('withdrawals.pay');
    await paid(before);
    expect(await withdrawal(before)).toEqual({ bank_code: 'KBANK', status: 'SUCCESS' });

    const id = await requestOf(member);
    const list = await operators.call(
      finance!,
      'GET',
      '/api/operator/approvals?state=PENDING&whose=others&limit=100',
    );
    const row = list.body.approvals.find((one: { id: string }) => one.id === id);
    expect(row).toMatchObject({
      action: 'account.change',
      mine: false,
      mayCheck: false,
      summary: {
        from: `KBANK ••${member.accountNo.slice(-4)} ทดสอบ ระบบ`,
        to: `SCB ••${wanted.bankAccountNo.slice(-4)} ทดสอบ ระบบ`,
      },
    });
    expect(JSON.stringify(list.body)).not.toContain(wanted.bankAccountNo);
    expect(await decide(finance, id, 'approve')).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    expect(await decide(support, id, 'accounts')).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    expect(await operators.call(finance!, 'POST', `/api/operator/approvals/${id}/accounts`)).toMatchObject({
      body: { from: member.accountNo, to: wanted.bankAccountNo },
    });
    expect(await decide(lead, id, 'approve')).toMatchObject({ status: 200, body: { state: 'APPROVED' } });
    expect(await decide(lead, id, 'approve')).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    expect(await profile(member)).toMatchObject({
      bankAccount: { bankCode: 'SCB', bankAccountNo: wanted.bankAccountNo },
      bankAccountRequest: null,
      payoutsFrom: expect.any(String),
    });
    const limits = await env.call('GET', '/api/lookup/withdraw', undefined, { token: member.token });
    expect(limits.body.payoutsFrom).toBe((await profile(member)).payoutsFrom);
    expect(
      (await operators.audit(`member:${member.id}`)).slice(1).map((one) => [one.actor, one.action]),
    ).toEqual([
      [`member:${member.id}`, 'approval.request'],
      [`operator:${finance!.name}`, 'member.reveal'],
      [`operator:${lead!.name}`, 'account.change'],
    ]);
  });

  test('that is refused changes nothing, and the member may request again', async () => {
    const member = await env.member();
    await put(member, another());
    const id = await requestOf(member);
    expect(await decide(lead, id, 'refuse', { note: 'another name' })).toMatchObject({ status: 200 });
    expect(await profile(member)).toMatchObject({
      bankAccount: { bankCode: 'KBANK' },
      bankAccountRequest: { status: 'REFUSED' },
    });
    expect(await put(member, another())).toMatchObject({ body: { status: 'PENDING' } });
  });

  test('is withdrawn by the member, who may repeat that and then request another', async () => {
    const member = await env.member();
    expect(await withdrawRequest(member)).toMatchObject({ status: 200, body: { message: 'OK' } });
    await put(member, another());
    const id = await requestOf(member);
    for (let time = 0; time < 2; time++) expect((await withdrawRequest(member)).status).toBe(200);
    expect(await stateOf(id)).toEqual({ state: 'WITHDRAWN', lapsed_because: null });
    expect((await profile(member)).bankAccountRequest).toBe(null);
    expect(await decide(lead, id, 'approve')).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    const trail = await operators.audit(`member:${member.id}`);
    expect(trail.filter(({ action }) => action === 'approval.withdraw')).toMatchObject([
      { actor: `member:${member.id}`, before: { approval: id, asks: 'account.change' } },
    ]);
    expect(await put(member, another())).toMatchObject({ body: { status: 'PENDING' } });
    expect(await bankOf(member)).toEqual([{ bank_code: 'KBANK', status: 'ACTIVE' }]);
  });

  test('that is made, decided or withdrawn is known to the screens of its member at once', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const received: string[] = [];
    for (const [name, { token }] of Object.entries({ member, other })) {
      const socket = io(env.url, { auth: { token }, transports: ['websocket'] });
      onTestFinished(() => void socket.close());
      socket.on('account', () => received.push(name));
      await new Promise((resume) => socket.once('connect', () => resume(null)));
    }
    await put(member, another());
    await until(async () => received.length === 1);
    await decide(lead, await requestOf(member), 'refuse', { note: 'another name' });
    await until(async () => received.length === 2);
    await put(member, another());
    await withdrawRequest(member);
    await until(async () => received.length === 4);
    await put(member, another());
    await decide(lead, await requestOf(member), 'approve');
    await until(async () => received.length === 6);
    expect(new Set(received)).toEqual(new Set(['member']));
  });

  test('is notified to its member when it is made and when it is decided, not when they withdraw it', async () => {
    const member = await env.member();
    const notified = async () => {
      const { body } = await env.call(
        'POST',
        '/api/notifications',
        { page: 1, limit: 20 },
        { token: member.token },
      );
      return body.notifications.flatMap(({ kind, status }: { kind: string; status: string | null }) =>
        kind === 'account' ? [status] : [],
      );
    };
    await put(member, another());
    await put(member, another());
    expect(await notified()).toEqual([null]);
    await withdrawRequest(member);
    expect(await notified()).toEqual([null]);
    await put(member, another());
    await decide(lead, await requestOf(member), 'refuse', { note: 'another name' });
    await put(member, another());
    await decide(lead, await requestOf(member), 'approve');
    expect(await notified()).toEqual(['SUCCESS', null, 'FAILED', null, null]);
  });

  test('is withdrawn by its own member alone', async () => {
    const [member, other] = [await env.member(), await env.member()];
    await put(member, another());
    await withdrawRequest(other);
    expect((await stateOf(await requestOf(member))).state).toBe('PENDING');
    expect((await env.call('DELETE', '/api/account/profile/request')).status).toBe(401);
  });

  test('of a session that a new password ends meanwhile is refused', async () => {
    const member = await env.member();
    const client = await env.owner.connect();
    await client.query('begin');
    await client.query('update session set ended_at = now() where member_id = $1', [member.id]);
    const sent = put(member, another());
    await untilWaiting(env, 1);
    await client.query('commit');
    client.release();
    expect((await sent).status).toBe(401);
    const { rows } = await env.owner.query('select 1 from approval where maker_member_id = $1', [member.id]);
    expect(rows).toEqual([]);
  });

  test('of a new name too waits for a new password without holding its session, as both lock the member first', async () => {
    const member = await env.member();
    const client = await env.owner.connect();
    await client.query('begin');
    await client.query('select 1 from member where id = $1 for no key update', [member.id]);
    const sent = put(member, another({ name: 'ชื่อ ใหม่' }));
    await untilWaiting(env, 1);
    const sql = 'select 1 from session where member_id = $1 for update nowait';
    expect((await client.query(sql, [member.id])).rows).toHaveLength(1);
    await client.query('update session set ended_at = now() where member_id = $1', [member.id]);
    await client.query('commit');
    client.release();
    expect((await sent).status).toBe(401);
  });

  test('shows operators the name that the member had before the request', async () => {
    const member = await env.member();
    await put(member, another({ name: 'ชื่อ ใหม่', bankAccountName: 'ชื่อ ใหม่' }));
    const id = await requestOf(member);
    const { body } = await operators.call(lead!, 'GET', '/api/operator/approvals?state=PENDING&limit=100');
    const row = body.approvals.find((one: { id: string }) => one.id === id);
    expect(row).toMatchObject({ maker: 'ทดสอบ ระบบ', summary: { name: 'ทดสอบ ระบบ' } });
    expect((await profile(member)).profile.name).toBe('ชื่อ ใหม่');
  });

  test('of a member who closes their account lapses, and the account stays theirs', async () => {
    const member = await env.member();
    await put(member, another());
    const id = await requestOf(member);
    await env.owner.query("update member set status = 'CLOSED' where id = $1", [member.id]);
    expect(await decide(lead, id, 'approve')).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    expect(await stateOf(id)).toEqual({ state: 'LAPSED', lapsed_because: 'MAKER' });
    expect(await bankOf(member)).toEqual([{ bank_code: 'KBANK', status: 'ACTIVE' }]);
  });

  test('approved while the account is being closed changes nothing', async () => {
    const member = await env.member();
    await put(member, another());
    const id = await requestOf(member);
    const closer = await env.owner.connect();
    await closer.query('begin');
    await closer.query('select 1 from member where id = $1 for update', [member.id]);
    const approved = decide(lead, id, 'approve');
    await untilWaiting(env, 1);
    await closer.query("update member set status = 'CLOSED' where id = $1", [member.id]);
    await closer.query('commit');
    closer.release();
    expect(await approved).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect(await bankOf(member)).toEqual([{ bank_code: 'KBANK', status: 'ACTIVE' }]);
  });

  test('made forty times at once is one; of forty members for one account one gets it', async () => {
    const one = await env.member();
    const responses = await Promise.all(Array.from({ length: 40 }, () => put(one, another())));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);

    const people = await Promise.all(Array.from({ length: 40 }, () => env.member()));
    const wanted = another();
    for (const { body } of await Promise.all(people.map((member) => put(member, wanted))))
      expect(body).toEqual({ status: 'PENDING' });
    const { rows } = await env.owner.query(
      "select id from approval where state = 'PENDING' and subject = any($1)",
      [people.map(({ id }) => `member:${id}`)],
    );
    const approved = await Promise.all(rows.map((row) => decide(lead, row.id, 'approve')));
    expect(approved.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(approved.map(({ body }) => body.message ?? 'OK'))).toEqual(
      new Set(['OK', 'EXISTING_BANK']),
    );
  });
});

describe('a new account', () => {
  test('receives no payout for a day, manual or automatic, and is paid automatically afterwards', async () => {
    const { member } = await changed();
    const [small, large] = [await withdraw(member, 500), await withdraw(member, 3000)];
    await env.app.runJob('withdrawals.pay');
    expect(await withdrawal(small)).toEqual({ status: 'QUEUED', bank_code: 'SCB' });
    const { body: seen } = await operators.call(finance!, 'GET', `/api/operator/withdrawals/${small}`);
    expect(seen.heldUntil).toEqual(expect.any(String));

    const perform = (what: string, body?: object) =>
      operators.call(finance!, 'POST', `/api/operator/withdrawals/${large}/${what}`, body);
    await perform('claim');
    expect(await perform('paid', { status: 'REVIEW', proof: 'slip 1', bankCode: 'SCB' })).toMatchObject(
      refusal(409, 'ACCOUNT_COOLING'),
    );
    expect(await perform('approve', { status: 'REVIEW' })).toMatchObject({ body: { state: 'QUEUED' } });
    await env.app.runJob('withdrawals.pay');
    expect(await withdrawal(large)).toMatchObject({ status: 'QUEUED' });
    // A worker that does not know of the rest takes it neither.
    await env.owner.query("update withdrawal set status = 'PROCESSING', updated_at = $2 where id = $1", [
      large,
      clock.now(),
    ]);
    expect(await withdrawal(large)).toMatchObject({ status: 'QUEUED' });

    clock.push(24 * HOUR_MS);
    await env.app.runJob('withdrawals.sweep');
    await paid(small);
    await paid(large);
    expect(await withdrawal(small)).toEqual({ status: 'SUCCESS', bank_code: 'SCB' });
  });
});

describe("an account's name", () => {
  const correct = (member: TestMember, bankCode: string, bankAccountName: string) =>
    env.call('PUT', '/api/account/bankAccountName', { bankCode, bankAccountName }, { token: member.token });

  test('is written in English once, only where the bank demands it and it is not', async () => {
    const member = await env.member();
    expect(await correct(member, 'KBANK', 'SOM CHAI')).toMatchObject(refusal(400, 'INVALID_BANK'));
    await env.owner.query("update bank_account set bank_code = 'BBL' where member_id = $1", [member.id]);
    expect(await correct(member, 'KTB', 'SOM CHAI')).toMatchObject(refusal(400, 'INVALID_BANK'));
    expect(await correct(member, 'BBL', 'สมชาย')).toMatchObject(refusal(400, 'BANK_ACCOUNT_NAME_ENG'));
    expect(await correct(member, 'BBL', 'Som  Chai ')).toMatchObject({ status: 200 });
    expect((await profile(member)).bankAccount.bankAccountName).toBe('SOM CHAI');
    expect(await correct(member, 'BBL', 'SOM CHOK')).toMatchObject(refusal(400, 'INVALID_BANK'));
  });
});
