import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { WITHDRAWAL_CHECK } from './read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
await env.set('desk.undoSeconds', 5);
await env.control('settings', { payoutMode: 'manual' });
const operators = operatorHelpers(env);
const [som, lek, lead, other] = [
  await operators.operator('finance'),
  await operators.operator('finance'),
  await operators.operator('finance-lead'),
  await operators.operator('finance-lead'),
];

afterAll(async () => {
  expect(await verifyLedger(env.pool, [WITHDRAWAL_CHECK, STATEMENT_CHECK])).toEqual([]);
});

const PATH = '/api/operator/withdrawals';
const seen = { status: 'REVIEW' };
const reason = { reason: 'name does not fit' };
const perform = (as: TestOperator, id: string, what: string, body?: object) =>
  operators.call(as, 'POST', `${PATH}/${id}/${what}`, body);
const undo = async (as: TestOperator, ...ids: string[]) =>
  (await operators.call(as, 'POST', `${PATH}/undo`, { ids })).body.results;
const decide = async (as: TestOperator, id: string, what: 'approve' | 'reject') => {
  await perform(as, id, 'claim');
  return perform(as, id, what, what === 'reject' ? { ...seen, ...reason } : seen);
};
/** Ends the seconds to undo, as if they had passed. */
const pass = (id: string) =>
  env.owner.query('update withdrawal_decision set effective_at = now() where withdrawal_id = $1', [id]);
const carryOut = (id: string) => env.app.runJob('withdrawals.decided', { id });
const actions = async (id: string) => (await operators.audit(`withdrawal:${id}`)).map((row) => row.action);

async function waiting(amount = 3000): Promise<{ id: string; member: TestMember }> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  return { id: body.id, member };
}
const state = async (id: string): Promise<string> =>
  (await env.pool.query('select status from withdrawal where id = $1', [id])).rows[0].status;

describe('a decision that can still be undone', () => {
  test('is not carried out before its time, and no other operator can decide meanwhile', async () => {
    const { id, member } = await waiting();
    expect(await decide(som, id, 'reject')).toMatchObject({
      status: 200,
      body: { state: 'REVIEW', approval: null, undoSeconds: 5 },
    });
    await carryOut(id);
    await env.app.runJob('withdrawals.due');
    expect([await state(id), await env.balance(member)]).toEqual(['REVIEW', 0n]);
    const changed = { status: 409, body: { message: 'ROW_CHANGED', state: 'REJECTED' } };
    const paid = { ...seen, proof: 'KBANK ref 1', bankCode: 'KBANK' };
    for (const [what, body] of [
      ['claim', undefined],
      ['approve', seen],
      ['reject', { ...seen, ...reason }],
      ['paid', paid],
    ] as const)
      expect(await perform(lek, id, what, body)).toMatchObject({
        ...changed,
        body: { message: 'ROW_CHANGED' },
      });
    expect((await operators.call(lek, 'GET', `${PATH}/${id}`)).body).toMatchObject({
      decision: { kind: 'REJECT', by: `operator:${som.name}`, mine: false },
    });
    expect(await undo(lek, id)).toMatchObject([{ id, refusal: 'ROW_CHANGED', now: 'REVIEW' }]);
  });

  test('is undone by who made it, who has the row again', async () => {
    const { id } = await waiting();
    await decide(som, id, 'approve');
    expect(await undo(som, id)).toMatchObject([{ id, state: 'REVIEW', refusal: null }]);
    await pass(id);
    await carryOut(id);
    const row = (await operators.call(som, 'GET', `${PATH}/${id}`)).body;
    expect(row).toMatchObject({
      status: 'REVIEW',
      decision: null,
      decidedBy: null,
      assignment: { mine: true },
    });
    expect(await actions(id)).toEqual(['withdrawal.claim', 'withdrawal.approve', 'withdrawal.undo']);
    expect(await undo(som, id)).toMatchObject([{ refusal: 'ROW_CHANGED' }]);
  });

  test('counts once in its operator’s figures, however often it was undone and made again', async () => {
    const figures = async (): Promise<{ withdrawals: number } | undefined> => {
      const { body } = await operators.call(lead, 'GET', '/api/operator/figures/agents');
      return body.rows.find((row: { operator: string }) => row.operator === som.name);
    };
    const before = (await figures())?.withdrawals ?? 0;
    const { id } = await waiting();
    await decide(som, id, 'approve');
    expect((await figures())!.withdrawals).toBe(before + 1);
    await undo(som, id);
    expect((await figures())?.withdrawals ?? 0).toBe(before);
    await decide(som, id, 'approve');
    expect((await figures())!.withdrawals).toBe(before + 1);
    await undo(som, id);
    await perform(som, id, 'reject', { ...seen, ...reason });
    expect((await figures())!.withdrawals).toBe(before + 1);
  });

  test('of a queued withdrawal keeps the bank out, and lets it in again when undone', async () => {
    const { id } = await waiting(1000);
    await env.owner.query("update withdrawal set status = 'QUEUED' where id = $1", [id]);
    await perform(som, id, 'claim');
    await perform(som, id, 'reject', { status: 'QUEUED', ...reason });
    await env.app.runJob('withdrawals.pay');
    expect(await state(id)).toBe('REVIEW');
    expect(await undo(som, id)).toMatchObject([{ state: 'QUEUED' }]);
    await env.app.runJob('withdrawals.pay');
    expect(await state(id)).toBe('PROCESSING');
  });
});

describe('once the time to undo is over', () => {
  test('an approval is sent to the bank, and a rejection gives the money back, each once', async () => {
    const [one, two] = [await waiting(), await waiting()];
    await decide(som, one.id, 'approve');
    await decide(som, two.id, 'reject');
    for (const { id } of [one, two]) await pass(id);
    await Promise.all([one, two, one, two].map(({ id }) => carryOut(id)));
    expect([await state(one.id), await state(two.id)]).toEqual(['QUEUED', 'FAILED']);
    expect(await env.balance(two.member)).toBe(300_000n);
    expect(await actions(two.id)).toEqual(['withdrawal.claim', 'withdrawal.reject']);
    expect((await operators.call(som, 'GET', `${PATH}/${two.id}`)).body.decidedBy).toBe(
      `operator:${som.name}`,
    );
    expect(await undo(som, one.id, two.id)).toMatchObject([{ now: 'QUEUED' }, { now: 'FAILED' }]);
  });

  test('a decision whose own job was lost with the server is carried out by the next', async () => {
    const [one, two] = [await waiting(), await waiting()];
    await decide(som, one.id, 'approve');
    await decide(som, two.id, 'reject');
    await env.owner.query(
      'select graphile_worker.remove_job(key) from graphile_worker.jobs where key = any($1)',
      [[one, two].map(({ id }) => `withdrawals.decided:${id}`)],
    );
    for (const { id } of [one, two]) await pass(id);
    await env.app.runJob('withdrawals.due');
    expect([await state(one.id), await state(two.id)]).toEqual(['QUEUED', 'FAILED']);
  });

  test('a server that ends between taking a rejection and giving the money back leaves it to the next', async () => {
    const { id, member } = await waiting();
    await decide(som, id, 'reject');
    await env.owner.query(
      'update withdrawal_decision set effective_at = now(), taken_at = now() where withdrawal_id = $1',
      [id],
    );
    expect(await undo(som, id)).toMatchObject([{ refusal: 'ROW_CHANGED' }]);
    await env.app.runJob('withdrawals.due');
    expect([await state(id), await env.balance(member)]).toEqual(['FAILED', 300_000n]);
  });

  test('either the undo or the execution takes effect, whichever is first', async () => {
    for (let round = 0; round < 16; round++) {
      const what = round % 2 ? 'approve' : 'reject';
      const { id, member } = await waiting();
      await decide(som, id, what);
      await pass(id);
      const work = [() => undo(som, id), () => carryOut(id)];
      if (round % 4 > 1) work.reverse();
      const done = await Promise.all(work.map((each) => each()));
      const [result] = done.find((one) => Array.isArray(one))!;
      const carried = result.refusal !== null;
      expect(await state(id)).toBe(!carried ? 'REVIEW' : what === 'approve' ? 'QUEUED' : 'FAILED');
      expect(await env.balance(member)).toBe(carried && what === 'reject' ? 300_000n : 0n);
    }
  });
});

describe('with two persons, and for many', () => {
  test("the second person's yes is undone by them: the request waits again, then counts", async () => {
    const { id } = await waiting(24_000);
    const { approval } = (await decide(lead, id, 'approve')).body;
    const path = `/api/operator/approvals/${approval}/approve`;
    expect(await operators.call(other, 'POST', path, {})).toMatchObject({
      status: 200,
      body: { state: 'REVIEW', undoSeconds: 5 },
    });
    expect(await undo(lead, id)).toMatchObject([{ refusal: 'ROW_CHANGED' }]);
    expect(await undo(other, id)).toMatchObject([{ state: 'REVIEW', refusal: null }]);
    const pending = (await operators.call(other, 'GET', '/api/operator/approvals?state=PENDING')).body
      .approvals;
    expect(pending).toMatchObject([{ id: approval, checker: null }]);
    expect((await operators.call(other, 'POST', path, {})).status).toBe(200);
    await pass(id);
    await carryOut(id);
    expect(await state(id)).toBe('QUEUED');
  });

  test('a rejection lapses the request to approve only when it is carried out', async () => {
    const { id } = await waiting(24_000);
    const { approval } = (await decide(lead, id, 'approve')).body;
    const stateOf = async () =>
      (await env.pool.query('select state from approval where id = $1', [approval])).rows[0].state;
    await decide(som, id, 'reject');
    expect(await stateOf()).toBe('PENDING');
    await pass(id);
    await carryOut(id);
    expect(await stateOf()).toBe('LAPSED');
  });

  test('each of many is decided and undone for itself', async () => {
    const [one, two, three] = [await waiting(), await waiting(), await waiting()];
    await perform(lek, three.id, 'claim');
    const ids = [one.id, two.id, three.id];
    const { results } = (await operators.call(som, 'POST', `${PATH}/reject`, { ids, ...reason })).body;
    expect(results).toMatchObject([
      { undoSeconds: 5, refusal: null },
      { undoSeconds: 5, refusal: null },
      { refusal: 'CLAIMED', by: lek.name },
    ]);
    expect(await undo(som, one.id)).toMatchObject([{ refusal: null }]);
    for (const { id } of [one, two]) await pass(id);
    await env.app.runJob('withdrawals.due');
    expect([await state(one.id), await state(two.id), await state(three.id)]).toEqual([
      'REVIEW',
      'FAILED',
      'REVIEW',
    ]);
  });
});

describe('the member of a rejected withdrawal', () => {
  const receipt = async (member: TestMember, id: string, language: string) =>
    (
      await env.call(
        'POST',
        '/api/statement',
        { page: 1, limit: 1, id },
        { token: member.token, headers: { 'accept-language': language } },
      )
    ).body.statements[0].receipt;

  test('reads the prepared reason in their language, as it was when they were rejected', async () => {
    const { id, member } = await waiting();
    const path = '/api/operator/rejection-reasons';
    const notice = { th: 'กรุณาติดต่อเรา', la: 'ກະລຸນາຕິດຕໍ່ພວກເຮົາ', en: 'Please contact us' };
    const admin = await operators.operator('admin');
    expect((await operators.call(som, 'PUT', `${path}/test`, { notice })).status).toBe(403);
    expect((await operators.call(admin, 'PUT', `${path}/test`, { notice })).status).toBe(200);
    expect((await operators.call(som, 'GET', path)).body.reasons).toContainEqual({ id: 'test', notice });
    await perform(som, id, 'claim');
    const unknown = await perform(som, id, 'reject', { ...seen, ...reason, reasonCode: 'none' });
    expect(unknown).toMatchObject({ status: 404, body: { message: 'NO_DATA' } });
    await perform(som, id, 'reject', { ...seen, ...reason, reasonCode: 'test' });
    expect((await receipt(member, id, 'en')).reason).toBeUndefined();
    await pass(id);
    await carryOut(id);
    expect((await operators.call(admin, 'DELETE', `${path}/test`)).status).toBe(200);
    for (const [tag, language] of [
      ['th', 'th'],
      ['lo', 'la'],
      ['en', 'en'],
    ] as const)
      expect((await receipt(member, id, tag)).reason).toBe(notice[language]);
  });

  test("reads the operator's own words where no reason was prepared", async () => {
    const { id, member } = await waiting();
    await decide(som, id, 'reject');
    await pass(id);
    await carryOut(id);
    expect((await receipt(member, id, 'th')).reason).toBe(reason.reason);
  });
});
