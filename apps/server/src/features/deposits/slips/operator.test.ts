import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { operatorHelpers, type TestOperator } from '../../../testing/operator.ts';
import { startTestEnv } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { slipHelpers } from './testing-slips.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { make, upload } = slipHelpers(env);
const [som, lek] = await Promise.all(['finance', 'finance'].map((role) => operators.operator(role)));
const DECISIONS = ['slip.success', 'slip.failed', 'slip.pending'];

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

/** A slip of 100.00 whose sender the bank hides too much of. */
async function waiting(intent: Record<string, unknown> = {}, count = 1) {
  const member = await env.member();
  const slip = await make(member, intent);
  await env.fault({ party: 'slip', kind: 'masked-digits', reference: slip.transRef, count });
  const { body } = await upload(member, slip.bytes);
  expect(body.status).toBe('REVIEW');
  return { member, id: body.id as string, bytes: slip.bytes };
}
const perform = (as: TestOperator, id: string, what: string) =>
  operators.call(as, 'POST', `/api/operator/slips/${id}/${what}`, {
    ...(what === 'claim' ? {} : { reason: 'seen at the bank' }),
    ...(what === 'refuse' ? { code: 'INVALID_SLIP' } : {}),
  });
const take = (as: TestOperator, id: string) =>
  operators.call(as, 'POST', `/api/operator/slips/${id}/claim`, undefined);
const stateOf = async (id: string): Promise<string> =>
  (await env.pool.query('select status from slip where id = $1', [id])).rows[0].status;
const decisionsOf = async (id: string) =>
  (await operators.audit(`slip:${id}`)).filter(({ action }) => DECISIONS.includes(action as string));

test('assigns a slip to one of forty concurrent callers, and of forty decisions one takes effect', async () => {
  const { id, member } = await waiting();
  const crowd = await Promise.all(Array.from({ length: 40 }, () => operators.operator('finance')));
  const taken = await Promise.all(crowd.map((one) => take(one, id)));
  expect(taken.filter(({ status }) => status === 200)).toHaveLength(1);
  const decisions = await Promise.all(
    crowd.map((one, at) => perform(one, id, ['accept', 'refuse', 'ask'][at % 3]!)),
  );
  expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await decisionsOf(id)).toHaveLength(1);
  expect(await env.balance(member)).toBe((await stateOf(id)) === 'SUCCESS' ? 10_000n : 0n);
});

test.each([
  ['accept', 'refuse'],
  ['accept', 'ask'],
  ['refuse', 'ask'],
])('%s and %s by its holder, twenty each at once, end as one of them', async (one, other) => {
  const { id, member } = await waiting();
  expect((await take(som!, id)).status).toBe(200);
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, at) => perform(som!, id, at % 2 ? one : other)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const lost = responses.filter(({ status }) => status !== 200);
  expect(lost.every(({ body }) => ['ROW_CHANGED', 'NOT_CLAIMED'].includes(body.message))).toBe(true);
  expect(await decisionsOf(id)).toHaveLength(1);
  expect(await env.balance(member)).toBe((await stateOf(id)) === 'SUCCESS' ? 10_000n : 0n);
});

test('shows every other use of its transfer, by any member and in any picture format', async () => {
  const { id, member, bytes } = await waiting();
  const others = await Promise.all([env.member(), env.member()]);
  const copies = [
    await sharp(bytes).jpeg({ quality: 60 }).toBuffer(),
    await sharp(bytes).rotate(3, { background: '#fff' }).webp().toBuffer(),
  ];
  const ids: string[] = [];
  for (const [at, other] of others.entries()) ids.push((await upload(other, copies[at]!)).body.id);
  const { body } = await operators.call(som!, 'GET', `/api/operator/slips/${id}`);
  const used = body.uses.map((use: { kind: string; id: string; member: { id: string } }) => [
    use.kind,
    use.id,
    use.member.id,
  ]);
  expect(used).toHaveLength(2);
  expect(used).toEqual(expect.arrayContaining(ids.map((copy, at) => ['slip', copy, String(others[at]!.id)])));
  expect(await env.balance(member)).toBe(0n);
});

test('a slip under review is accepted when the bank’s statement credits its transfer', async () => {
  // The first reading only begins to watch.
  await env.app.runJob('feeds.read');
  const { id, member } = await waiting({ toBank: 'SCB', toAccount: '2223334445' });
  await env.app.runJob('feeds.read');
  expect([await stateOf(id), await env.balance(member)]).toEqual(['SUCCESS', 10_000n]);
  const { body } = await operators.call(som!, 'GET', `/api/operator/slips/${id}`);
  expect(body.uses).toMatchObject([{ kind: 'deposit', member: { id: String(member.id) } }]);
  expect((await take(som!, id)).body).toMatchObject({ message: 'ROW_CHANGED', data: { state: 'SUCCESS' } });
});

test('a decision made by no operator names none, also where one had it checked again, and ends the assignment', async () => {
  const { id } = await waiting({ toBank: 'SCB', toAccount: '2223334445' }, 2);
  await take(som!, id);
  expect((await perform(som!, id, 'ask')).status).toBe(200);
  await env.app.runJob('slips.ask');
  expect(await stateOf(id)).toBe('REVIEW');
  expect((await take(lek!, id)).status).toBe(200);
  await env.app.runJob('feeds.read');
  expect(await stateOf(id)).toBe('SUCCESS');
  expect(await decisionsOf(id)).toMatchObject([{ action: 'slip.pending', actor: `operator:${som!.name}` }]);
  const { body } = await operators.call(som!, 'GET', `/api/operator/slips/${id}`);
  expect(body.assignment).toBeNull();
});

test('rejects decisions of operators without the assignment', async () => {
  const { id, member } = await waiting();
  await take(som!, id);
  const responses = await Promise.all(
    ['accept', 'refuse', 'ask'].flatMap((what) => Array.from({ length: 5 }, () => perform(lek!, id, what))),
  );
  expect(responses.map(({ status, body }) => [status, body.message])).toEqual(
    responses.map(() => [409, 'CLAIMED']),
  );
  expect([await stateOf(id), await env.balance(member)]).toEqual(['REVIEW', 0n]);
});
