import { MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('withdraw.oneOpen', false);
await env.control('settings', { payoutMode: 'manual' });
const operators = operatorHelpers(env);
const [som, lek, lead] = [
  await operators.operator('finance'),
  await operators.operator('finance'),
  await operators.operator('finance-lead'),
];
const marketing = await operators.operator('marketing');

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const PATH = '/api/operator/withdrawals';
const perform = (as: TestOperator | null, id: string, what: string, body?: object) =>
  operators.call(as, 'POST', `${PATH}/${id}/${what}`, body);
const seen = { status: 'REVIEW' };
const refusal = (status: number, message: string, data?: object) => ({
  status,
  body: { message, ...(data ? { data } : {}) },
});

async function waiting(amount = 3000): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n + 50_000n });
  const response = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  expect(response).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  return { id: response.body.id, member };
}
async function state(id: string): Promise<string> {
  return (await env.pool.query('select status from withdrawal where id = $1', [id])).rows[0].status;
}
const actions = async (id: string) => (await operators.audit(`withdrawal:${id}`)).map((row) => row.action);

describe('a waiting withdrawal', () => {
  test('is listed with what a decision needs, its account number masked', async () => {
    const { id, member } = await waiting(2500);
    const list = await operators.call(som, 'GET', `${PATH}?status=REVIEW&q=${id}`);
    expect(list).toMatchObject({
      status: 200,
      body: {
        total: 1,
        sums: [{ currency: 'BAHT', amount: 2500 }],
        withdrawals: [{ id, status: 'REVIEW', assignment: null }],
      },
    });
    const detail = await operators.call(som, 'GET', `${PATH}/${id}`);
    expect(detail.body).toMatchObject({
      balanceAfter: 500,
      nameMatches: true,
      needsChecker: false,
      paidBefore: 0,
    });
    expect(detail.body.account.accountNo).toBe(`••${member.accountNo.slice(-4)}`);
    expect(detail.text).not.toContain(member.accountNo);
    expect((await operators.call(null, 'GET', `${PATH}/${id}`)).status).toBe(401);
    expect((await operators.call(marketing, 'GET', `${PATH}/${id}`)).status).toBe(403);
    expect((await operators.call(som, 'GET', `${PATH}/WD0`)).status).toBe(404);
    expect((await operators.call(som, 'GET', `${PATH}?limit=1000`)).status).toBe(400);
  });

  test('reports whether the names agree, and that names in different scripts are not comparable', async () => {
    const { id, member } = await waiting();
    for (const [name, matches] of [
      ['ทดสอบ  ระบบ', true],
      ['สมชาย ใจดี', false],
      ['SOMCHAI JAIDEE', null],
    ]) {
      await env.owner.query('update bank_account set account_name = $1 where member_id = $2', [
        name,
        member.id,
      ]);
      expect((await operators.call(som, 'GET', `${PATH}/${id}`)).body.nameMatches).toBe(matches);
    }
  });

  test('that is assigned is found by the name of its operator', async () => {
    const { id } = await waiting();
    await perform(som, id, 'claim');
    const of = async (name: string) =>
      (await operators.call(lek, 'GET', `${PATH}?assignee=${name}`)).body.withdrawals.map(
        (row: { id: string }) => row.id,
      );
    expect(await of(som.name)).toContain(id);
    expect(await of(lek.name)).not.toContain(id);
    await perform(som, id, 'release');
    expect(await of(som.name)).not.toContain(id);
  });

  test('is approved by who has assigned it, then paid; each step leaves one audit row', async () => {
    const { id } = await waiting();
    expect(await perform(som, id, 'approve', seen)).toMatchObject(refusal(409, 'NOT_CLAIMED'));
    expect((await perform(som, id, 'claim')).body).toMatchObject({ by: som.name, mine: true });
    expect(await perform(lek, id, 'claim')).toMatchObject(refusal(409, 'CLAIMED', { by: som.name }));
    expect(await perform(lek, id, 'approve', seen)).toMatchObject(refusal(409, 'CLAIMED', { by: som.name }));
    expect(await perform(som, id, 'approve', seen)).toMatchObject({
      status: 200,
      body: { state: 'QUEUED', approval: null },
    });
    expect(await perform(som, id, 'approve', seen)).toMatchObject(
      refusal(409, 'ROW_CHANGED', { state: 'QUEUED' }),
    );
    expect(await actions(id)).toEqual(['withdrawal.claim', 'withdrawal.approve']);
    const { rows } = await env.owner.query(
      "select key from graphile_worker.jobs where key = 'withdrawals.pay'",
    );
    expect(rows).toHaveLength(1);
    await env.app.runJob('withdrawals.pay');
    expect(await state(id)).toBe('PROCESSING');
    await env.control('payout', { reference: id, state: 'PAID' });
    await env.app.runJob('withdrawals.ask', { id });
    expect(await state(id)).toBe('SUCCESS');
  });

  test('is freed after ten minutes without activity, or on release', async () => {
    const { id } = await waiting();
    await perform(som, id, 'claim');
    await pass(env, clock, 9 * MINUTE_MS);
    expect((await perform(lek, id, 'claim')).status).toBe(409);
    expect((await perform(som, id, 'claim')).status).toBe(200);
    await pass(env, clock, 9 * MINUTE_MS);
    expect((await perform(lek, id, 'claim')).status).toBe(409);
    await pass(env, clock, 2 * MINUTE_MS);
    expect((await perform(lek, id, 'claim')).status).toBe(200);
    expect(await perform(som, id, 'approve', seen)).toMatchObject(refusal(409, 'CLAIMED'));
    expect((await perform(lek, id, 'release')).status).toBe(200);
    expect((await perform(som, id, 'claim')).status).toBe(200);
  });

  test('is given to a permitted colleague by its operator, or while it is unassigned', async () => {
    const { id } = await waiting();
    const colleagues = (await operators.call(som, 'GET', '/api/operator/assignees')).body.operators;
    const idOf = (name: string) => colleagues.find((one: { name: string }) => one.name === name)?.id;
    expect([idOf(som.name), idOf(marketing.name)]).toEqual([undefined, undefined]);
    const give = (as: TestOperator, name: string) =>
      perform(as, id, 'assign', { operator: idOf(name) ?? '0' });
    expect(await give(som, lek.name)).toMatchObject({ status: 200, body: { by: lek.name, mine: false } });
    const mine = await operators.call(lek, 'GET', `${PATH}?assigned=mine&q=${id}`);
    expect(mine.body.withdrawals).toMatchObject([{ id, assignment: { mine: true } }]);
    expect(await give(som, lead.name)).toMatchObject(refusal(409, 'CLAIMED', { by: lek.name }));
    expect(await give(lek, lead.name)).toMatchObject({ status: 200, body: { by: lead.name } });
    expect(await give(lead, marketing.name)).toMatchObject(refusal(404, 'NO_DATA'));
    expect(await actions(id)).toEqual(['withdrawal.assign', 'withdrawal.assign']);
    expect((await perform(lead, id, 'approve', seen)).status).toBe(200);
  });

  test('goes to one of forty who take it at once, and is decided once', async () => {
    const { id } = await waiting();
    const crowd = await Promise.all(Array.from({ length: 40 }, () => operators.operator('finance')));
    const taken = await Promise.all(crowd.map((one) => perform(one, id, 'claim')));
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(1);
    const decisions = await Promise.all(
      crowd.map((one, index) =>
        index % 2
          ? perform(one, id, 'approve', seen)
          : perform(one, id, 'reject', { ...seen, reason: 'no such need' }),
      ),
    );
    expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('refused returns the money in the same transaction, and stores the reason', async () => {
    const { id, member } = await waiting();
    await perform(som, id, 'claim');
    expect((await perform(som, id, 'reject', seen)).status).toBe(400);
    const before = await env.balance(member);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => perform(som, id, 'reject', { ...seen, reason: 'name does not fit' })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await state(id), (await env.balance(member)) - before]).toEqual(['FAILED', 300_000n]);
    expect((await operators.audit(`withdrawal:${id}`)).at(-1)).toMatchObject({
      actor: `operator:${som.name}`,
      role: 'finance',
      action: 'withdrawal.reject',
      before: { status: 'REVIEW' },
      after: { status: 'FAILED' },
      reason: 'name does not fit',
      address: '127.0.0.1',
    });
    expect(
      (await operators.audit(`withdrawal:${id}`)).filter((row) => row.action === 'withdrawal.reject'),
    ).toHaveLength(1);
  });

  test('paid manually is booked once, with its proof', async () => {
    const { id, member } = await waiting();
    await perform(som, id, 'claim');
    const body = { ...seen, proof: 'KBANK ref 8842', bankCode: 'KBANK' };
    expect(await perform(som, id, 'paid', { ...body, bankCode: 'NOBANK' })).toMatchObject(
      refusal(400, 'NO_BANK'),
    );
    const responses = await Promise.all(Array.from({ length: 5 }, () => perform(som, id, 'paid', body)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await state(id), await env.balance(member)]).toEqual(['SUCCESS', 50_000n]);
    expect((await operators.call(som, 'GET', `${PATH}/${id}`)).body.proof).toBe('KBANK ref 8842');
    expect((await perform(som, id, 'claim')).status).toBe(409);
  });

  test('with a payout order is neither refused nor settled manually until the bank’s response is overdue, then by two operators', async () => {
    const { id } = await waiting();
    await perform(som, id, 'claim');
    await perform(som, id, 'approve', seen);
    await env.app.runJob('withdrawals.pay');
    await perform(som, id, 'claim');
    const now = { status: 'PROCESSING' };
    const paid = { ...now, proof: 'statement line 12', bankCode: 'KBANK' };
    expect(await perform(som, id, 'reject', { ...now, reason: 'too late' })).toMatchObject(
      refusal(409, 'ROW_CHANGED'),
    );
    expect(await perform(som, id, 'paid', paid)).toMatchObject(refusal(409, 'ROW_CHANGED'));
    expect((await perform(som, id, 'retry', now)).status).toBe(200);
    await env.fault({ party: 'bank-a', call: 'payout-status', reference: id, kind: 'outage' });
    await env.app.runJob('withdrawals.ask', { id });
    const reply = await perform(som, id, 'paid', paid);
    expect(reply).toMatchObject({ status: 200, body: { state: 'PROCESSING', approval: expect.any(String) } });
    const response = await operators.call(
      lead,
      'POST',
      `/api/operator/approvals/${reply.body.approval}/approve`,
      {},
    );
    expect([response.status, await state(id)]).toEqual([200, 'SUCCESS']);
  });
});

describe('of a suspended member', () => {
  const suspend = (member: TestMember, status = 'SUSPENDED') =>
    env.owner.query('update member set status = $2 where id = $1', [member.id, status]);
  const sent = async (id: string): Promise<number> =>
    (await env.control('books')).payouts.filter((one: { reference: string }) => one.reference === id).length;
  const pay = () => env.app.runJob('withdrawals.pay');

  test('a queued one waits, and is paid when they are active again', async () => {
    const { id, member } = await waiting(1000);
    await suspend(member);
    await pay();
    expect([await state(id), await sent(id)]).toEqual(['QUEUED', 0]);
    await suspend(member, 'ACTIVE');
    await env.app.runJob('withdrawals.sweep');
    expect([await state(id), await sent(id)]).toEqual(['PROCESSING', 1]);
  });

  test('a queued one is refused by an operator, and the money is back in the wallet', async () => {
    const { id, member } = await waiting(1000);
    await suspend(member);
    await perform(som, id, 'claim');
    const no = { status: 'QUEUED', reason: 'suspended' };
    expect((await perform(som, id, 'reject', no)).status).toBe(200);
    expect([await state(id), await env.balance(member)]).toEqual(['FAILED', 150_000n]);
  });

  test('a waiting one is neither approved, alone or by two, nor booked as paid manually', async () => {
    const { id, member } = await waiting();
    const two = await waiting(24_000);
    await perform(lead, two.id, 'claim');
    const { approval } = (await perform(lead, two.id, 'approve', seen)).body;
    for (const one of [member, two.member]) await suspend(one);
    const inactive = refusal(403, 'INACTIVE_USER', { member: String(member.id) });
    await perform(som, id, 'claim');
    expect(await perform(som, id, 'approve', seen)).toMatchObject(inactive);
    const paid = { ...seen, proof: 'KBANK ref 1', bankCode: 'KBANK' };
    expect(await perform(som, id, 'paid', paid)).toMatchObject(inactive);
    const many = await operators.call(som, 'POST', `${PATH}/approve`, { ids: [id] });
    expect(many.body.results).toMatchObject([{ id, state: null, refusal: 'INACTIVE_USER' }]);
    const other = await operators.operator('finance-lead');
    const path = `/api/operator/approvals/${approval}/approve`;
    expect(await operators.call(other, 'POST', path, {})).toMatchObject(refusal(403, 'INACTIVE_USER'));
    expect([await state(id), await state(two.id)]).toEqual(['REVIEW', 'REVIEW']);
    await suspend(two.member, 'ACTIVE');
    expect((await operators.call(other, 'POST', path, {})).status).toBe(200);
    expect(await state(two.id)).toBe('QUEUED');
  });

  test('what was not ordered before they were suspended is not ordered, in either order', async () => {
    for (let round = 0; round < 12; round++) {
      const { id, member } = await waiting(1000);
      await Promise.all(round % 2 ? [suspend(member), pay()] : [pay(), suspend(member)]);
      const orders = await sent(id);
      expect(await state(id)).toBe(orders === 1 ? 'PROCESSING' : 'QUEUED');
      await pay();
      expect(await sent(id)).toBe(orders);
    }
  });
});

describe('above the limit', () => {
  async function requested(): Promise<{ id: string; approval: string; member: TestMember }> {
    const one = await waiting(24_000);
    await perform(lead, one.id, 'claim');
    const reply = await perform(lead, one.id, 'approve', { ...seen, reason: 'checked by phone' });
    expect(reply).toMatchObject({ status: 200, body: { state: 'REVIEW', approval: expect.any(String) } });
    return { ...one, approval: reply.body.approval };
  }
  const decide = (as: TestOperator, approval: string, what: string, body: object = {}) =>
    operators.call(as, 'POST', `/api/operator/approvals/${approval}/${what}`, body);

  test('a second person decides, never the maker, nor who may not; and one pending request for each subject', async () => {
    const { id, approval } = await requested();
    const other = await operators.operator('finance-lead');
    await perform(other, id, 'claim');
    expect(await perform(other, id, 'approve', seen)).toMatchObject(
      refusal(409, 'APPROVAL_PENDING', { approval }),
    );
    expect(await decide(lead, approval, 'approve')).toMatchObject(refusal(403, 'APPROVAL_MAKER'));
    expect(await decide(som, approval, 'approve')).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    const admin = await operators.operator('admin');
    expect(await decide(admin, approval, 'approve')).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    const shown = await operators.call(other, 'GET', '/api/operator/approvals?state=PENDING');
    expect(shown.body.approvals).toContainEqual(
      expect.objectContaining({
        id: approval,
        action: 'withdrawal.approve',
        maker: lead.name,
        mayCheck: true,
        mayWithdraw: false,
        summary: expect.objectContaining({ amount: 24000, currency: 'BAHT' }),
      }),
    );
    const responses = await Promise.all(Array.from({ length: 10 }, () => decide(other, approval, 'approve')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await state(id)).toBe('QUEUED');
    expect(await operators.audit(`withdrawal:${id}`)).toMatchObject([
      { action: 'withdrawal.claim' },
      { action: 'approval.request', actor: `operator:${lead.name}`, reason: 'checked by phone' },
      { action: 'withdrawal.claim' },
      {
        action: 'withdrawal.approve',
        actor: `operator:${other.name}`,
        after: { maker: lead.name, approval },
      },
    ]);
  });

  test('a refused request moves nothing, a withdrawn one only its maker can take back', async () => {
    const [one, two] = [await requested(), await requested()];
    const other = await operators.operator('finance-lead');
    expect((await decide(other, one.approval, 'refuse', { note: 'call the member first' })).status).toBe(200);
    expect(await decide(other, one.approval, 'approve')).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    expect(
      (await operators.call(other, 'POST', `/api/operator/approvals/${two.approval}/withdraw`)).status,
    ).toBe(403);
    expect(
      (await operators.call(lead, 'POST', `/api/operator/approvals/${two.approval}/withdraw`)).status,
    ).toBe(200);
    expect([await state(one.id), await state(two.id)]).toEqual(['REVIEW', 'REVIEW']);
    expect(await actions(one.id)).toEqual(['withdrawal.claim', 'approval.request', 'approval.refuse']);
  });

  test('the state is checked again: what was decided meanwhile is not approved', async () => {
    const { id, approval } = await requested();
    await perform(som, id, 'claim');
    expect((await perform(som, id, 'reject', { ...seen, reason: 'member called' })).status).toBe(200);
    const other = await operators.operator('finance-lead');
    expect(await decide(other, approval, 'approve')).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    expect(await state(id)).toBe('FAILED');
  });

  test('an approval and a refusal at the same time end in one of them', async () => {
    const { id, approval, member } = await requested();
    const other = await operators.operator('finance-lead');
    await perform(som, id, 'claim');
    const [yes, no] = await Promise.all([
      decide(other, approval, 'approve'),
      perform(som, id, 'reject', { ...seen, reason: 'member called' }),
    ]);
    expect([yes.status, no.status].toSorted()).toEqual([200, 409]);
    expect(await state(id)).toBe(yes.status === 200 ? 'QUEUED' : 'FAILED');
    expect(await env.balance(member)).toBe(yes.status === 200 ? 50_000n : 2_450_000n);
  });

  test('a request lapses after a day', async () => {
    const { id, approval } = await requested();
    await pass(env, clock, 24 * 60 * MINUTE_MS);
    await env.owner.query(
      "update operator_session set seen_at = seen_at + interval '25 hours', expires_at = expires_at + interval '25 hours'",
    );
    const other = await operators.operator('finance-lead');
    expect(await decide(other, approval, 'approve')).toMatchObject(refusal(409, 'APPROVAL_LAPSED'));
    await perform(lead, id, 'claim');
    expect((await perform(lead, id, 'approve', seen)).status).toBe(200);
  });

  test('one person decides alone only where the installation allows it, and the audit trail shows it', async () => {
    const { id } = await waiting(24_000);
    await env.set('desk.makerChecker', false);
    await perform(lead, id, 'claim');
    expect(await perform(lead, id, 'approve', seen)).toMatchObject({
      body: { state: 'QUEUED', approval: null },
    });
    await env.set('desk.makerChecker', true);
  });
});

test('fifty are approved at once, and the answer names the three that failed and why', async () => {
  const ones = await Promise.all(Array.from({ length: 49 }, () => waiting()));
  const ids = ones.map(({ id }) => id);
  await perform(lek, ids[1]!, 'claim');
  await perform(lek, ids[2]!, 'claim');
  await perform(lek, ids[2]!, 'reject', { ...seen, reason: 'wrong member' });
  const { body } = await operators.call(som, 'POST', `${PATH}/approve`, { ids: [...ids, 'WD0'] });
  const done = { state: 'QUEUED', approval: null, refusal: null, by: null, now: null };
  const failed = { ...done, state: null };
  expect(body.results).toEqual([
    { id: ids[0], ...done },
    { ...failed, id: ids[1], refusal: 'CLAIMED', by: lek.name },
    { ...failed, id: ids[2], refusal: 'ROW_CHANGED', now: 'FAILED' },
    ...ids.slice(3).map((id) => ({ id, ...done })),
    { ...failed, id: 'WD0', refusal: 'NO_DATA' },
  ]);
});

test('a refused row stays with the operator who had taken it, and one taken for the call alone is released', async () => {
  const taker = await operators.operator('finance');
  const [own, free] = [await waiting(), await waiting()];
  await perform(taker, own.id, 'claim');
  await env.owner.query("update member set status = 'SUSPENDED' where id = any($1)", [
    [own.member.id, free.member.id],
  ]);
  const ids = [own.id, free.id];
  const { body } = await operators.call(taker, 'POST', `${PATH}/approve`, { ids });
  expect(body.results.map((row: { refusal: string }) => row.refusal)).toEqual([
    'INACTIVE_USER',
    'INACTIVE_USER',
  ]);
  const assignmentOf = async (id: string) =>
    (await operators.call(taker, 'GET', `${PATH}/${id}`)).body.assignment;
  expect(await assignmentOf(own.id)).toMatchObject({ by: taker.name, mine: true });
  expect(await assignmentOf(free.id)).toBeNull();
});
