import { expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { offer, find, receive, forfeit } = bonusHelpers(env);
const [marketing, lead, support] = (await Promise.all(
  ['marketing', 'finance-lead', 'support'].map((role) => operators.operator(role)),
)) as [TestOperator, TestOperator, TestOperator];

const reason = 'for the fair';
const FIXED = { kind: 'promotion', award: 'fixed', award_amount: 5_000n, deposit_min: null, max_received: 1 };
const promote = (change: object = {}) => offer({ ...FIXED, single_codes: true, ...change });
const request = (code: string, body: object, as: TestOperator | null = marketing) =>
  operators.call(as, 'POST', `/api/operator/bonuses/${code}/batches`, { ...body, reason });
const approve = (id: string) => operators.call(lead, 'POST', `/api/operator/approvals/${id}/approve`, {});
const batchesOf = async (code: string) =>
  (await operators.call(marketing, 'GET', `/api/operator/bonuses/${code}/batches`)).body;
const codesOf = async (batch: string) =>
  (await operators.call(marketing, 'GET', `/api/operator/export/codes.csv?batch=${batch}`)).text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.replaceAll('"', '').split(','));

/** A batch with the second person's yes; its codes. */
async function batch(code: string, body: object): Promise<{ id: string; codes: string[] }> {
  const requested = await request(code, body);
  expect(requested.body).toEqual({ state: 'UNCHANGED', approval: expect.any(String) });
  expect((await approve(requested.body.approval)).status).toBe(200);
  const { id } = (await batchesOf(code)).batches[0];
  return { id, codes: (await codesOf(id)).map((row) => row[0]!) };
}

test('codes are made by two, unlike each other and hard to guess', async () => {
  const code = await promote();
  for (const [as, status] of [
    [null, 401],
    [support, 403],
    [lead, 403],
  ] as const)
    expect((await request(code, { count: 5 }, as)).status).toBe(status);
  for (const wrong of [{}, { count: 5, codes: ['FAIR2026AA'] }, { count: 0 }, { codes: ['SHORT'] }])
    expect((await request(code, wrong)).status).toBe(400);
  expect((await request('NOTHING', { count: 5 })).status).toBe(404);
  expect((await request(await offer(FIXED), { count: 5 })).status).toBe(404);
  const { codes } = await batch(code, { count: 200 });
  expect(new Set(codes).size).toBe(200);
  expect(codes.every((one) => /^[2-9A-HJKMNP-Z]{12}$/.test(one))).toBe(true);
  const rows = await operators.audit(`bonus:${code}`);
  expect(rows.map(({ action }) => action)).toEqual(['approval.request', 'promotion.batch']);
});

test('a code is received by one member, and by them once; the promotion’s own opens nothing', async () => {
  const code = await promote();
  const { id, codes } = await batch(code, { count: 3 });
  const [first, second] = codes as [string, string, string];
  const [one, other] = [await env.member(), await env.member()];
  expect((await find(one, code)).body.message).toBe('NO_PROMOTION');
  expect((await find(one, first.toLowerCase())).body).toMatchObject({ code: first, percentFail: 10 });
  expect((await receive(one, first)).status).toBe(200);
  expect((await find(other, first)).body.message).toBe('NO_PROMOTION');
  expect((await receive(other, first)).body.message).toBe('NO_PROMOTION');
  await forfeit(one);
  expect((await receive(one, second)).body.message).toBe('PROMOTION_RECEIVED');
  expect((await batchesOf(code)).batches).toMatchObject([{ id, codes: 3, used: 1, revokedAt: null }]);
  const used = (await codesOf(id)).find(([text]) => text === first);
  expect(used?.slice(1, 3)).toEqual(['USED', String(one.id)]);
});

test('a code that its member repeats is received, not unknown, and counts as no guess', async () => {
  const { id, codes } = await batch(await promote(), { count: 2 });
  const [first] = codes as [string, string];
  const one = await env.member();
  expect((await receive(one, first)).status).toBe(200);
  // PROMOTION_RECEIVED precedes the run that is active now.
  for (let time = 0; time < 12; time++) {
    const call = time % 2 === 0 ? find : receive;
    expect((await call(one, first.toLowerCase())).body.message).toBe('PROMOTION_RECEIVED');
  }
  await forfeit(one);
  const path = `/api/operator/batches/${id}/revoke`;
  expect((await operators.call(marketing, 'POST', path, { reason })).status).toBe(200);
  expect((await find(one, first)).body.message).toBe('PROMOTION_RECEIVED');
});

test('of twenty members with one code one receives it', async () => {
  const { codes } = await batch(await promote(), { count: 1 });
  const members = await Promise.all(Array.from({ length: 20 }, () => env.member()));
  const responses = await Promise.all(members.map((member) => receive(member, codes[0]!)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.message === 'NO_PROMOTION')).toHaveLength(19);
});

test('codes printed elsewhere are taken in, unless one of them is there already', async () => {
  const printed = ['FAIR2026AAAA', 'FAIR2026BBBB'];
  const code = await promote();
  expect((await batch(code, { codes: printed })).codes).toEqual(printed);
  const again = await request(code, { codes: ['FAIR2026CCCC', ...printed] });
  expect((await approve(again.body.approval)).body).toMatchObject({
    message: 'INVALID_REQUEST',
    data: { field: 'codes' },
  });
  expect((await batchesOf(code)).batches).toHaveLength(1);
});

test('a revoked batch is received no more, at once and by one person; what was received stays', async () => {
  const code = await promote();
  const { id, codes } = await batch(code, { count: 2 });
  const [one, other] = [await env.member(), await env.member()];
  expect((await receive(one, codes[0]!)).status).toBe(200);
  const revoke = (as: TestOperator) =>
    operators.call(as, 'POST', `/api/operator/batches/${id}/revoke`, { reason });
  expect((await revoke(support)).status).toBe(403);
  expect((await revoke(marketing)).status).toBe(200);
  expect((await revoke(marketing)).body.message).toBe('ROW_CHANGED');
  expect((await receive(other, codes[1]!)).body.message).toBe('NO_PROMOTION');
  expect(await env.balance(one)).toBe(5_000n);
  expect(await verifyLedger(env.pool, [])).toEqual([]);
});
