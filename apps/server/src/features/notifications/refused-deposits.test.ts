import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { io } from 'socket.io-client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdItem } from '../../testing/hold.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { refuseSlip } from '../deposits/slips/decisions.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { pass, pushedClock } from '../testing.ts';
import { transferHelpers } from '../unmatched/testing-transfers.ts';
import { notificationHelpers } from './testing-notifications.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('deposit.manual', true);
await env.set('unknown.absentGraceSeconds', 0);
await env.app.runJob('feeds.read');
const { deps } = env.app;
const { list } = notificationHelpers(env);
const { make, upload } = slipHelpers(env);
const transfers = transferHelpers(env);
const operators = operatorHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

const by = { actor: 'cli:tester', reason: 'seen in the statement' };
const news = async (member: TestMember) =>
  (await list(member)).notifications.map(
    ({ id, createdAt, isRead, ...rest }: Record<string, unknown>) => rest,
  );
const refused = (subject: string, more: object) => ({
  ...{ kind: 'deposit', status: 'FAILED', subject, amount: null, name: null },
  ...more,
});

/** A page of the member's: how often it was notified of a slip. */
async function page({ token }: TestMember): Promise<{ slips: number }> {
  const received = { slips: 0 };
  const socket = io(env.url, { auth: { token }, transports: ['websocket'] });
  onTestFinished(() => void socket.close());
  socket.on('slip', () => {
    received.slips += 1;
  });
  await new Promise((resume) => socket.once('connect', () => resume(null)));
  return received;
}

describe('refused without a notification: the member is notified of', () => {
  test('a reported transfer that is refused, with the row that explains it', async () => {
    const [member, som] = [await env.member(), await operators.operator('finance')];
    const id = await transfers.report(member, 70);
    expect(await news(member)).toEqual([]);
    for (const [what, body] of [['claim'], ['refuse', { reason: 'not in the bank' }]] as const)
      await operators.call(som, 'POST', `/api/operator/reports/${id}/${what}`, body);
    expect(await news(member)).toEqual([refused(id, { amount: 70 })]);
  });

  test('a slip that an operator refuses, and so are their open pages', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const { bytes, transRef } = await make(member);
    await env.fault({ party: 'slip', kind: 'masked-digits', reference: transRef, count: 1 });
    const { body } = await upload(member, bytes);
    expect([body.status, await news(member)]).toEqual(['REVIEW', []]);
    const [own, others] = [await page(member), await page(other)];
    expect(await refuseSlip(deps, body.id, 'ACCOUNT_NOT_MATCH', by)).toBe(true);
    expect(await news(member)).toEqual([refused(body.id, { origin: 'slip' })]);
    await expect.poll(() => own.slips).toBe(1);
    expect(others.slips).toBe(0);
  });

  test('the deposit alone, where a slip of it is still under review', async () => {
    const member = await env.member();
    const { bytes, transRef } = await make(member);
    await env.fault({ party: 'slip', kind: 'masked-digits', reference: transRef, count: 1 });
    const { body } = await upload(member, bytes);
    expect(body.status).toBe('REVIEW');
    const second = (await upload(member, bytes)).body;
    const { rows } = await env.pool.query('select status from slip where id = $1', [body.id]);
    expect(rows).toEqual([{ status: 'FAILED' }]);
    expect(await news(member)).toEqual([refused(second.statementId, { status: 'SUCCESS', amount: 100 })]);
  });

  test('a slip that the bank never knew, once its time is over', async () => {
    const member = await env.member();
    const { bytes, transRef } = await make(member);
    await env.fault({ party: 'slip', kind: 'late', reference: transRef, count: 99 });
    const { body } = await upload(member, bytes);
    expect([body.status, await news(member)]).toEqual(['PENDING', []]);
    await pass(env, clock, 61 * MINUTE_MS);
    await env.app.runJob('slips.ask');
    expect(await news(member)).toEqual([refused(body.id, { origin: 'slip' })]);
  });

  test('a slip whose server stopped during the call, and that is then refused', async () => {
    const member = await env.member();
    const { bytes, transRef } = await make(member);
    await env.fault({ party: 'slip', kind: 'late', reference: transRef, count: 99 });
    const { body } = await upload(member, bytes);
    await env.owner.query('update slip set asked = 0, created_at = created_at - $2::interval where id = $1', [
      body.id,
      `${DAY_MS} ms`,
    ]);
    await pass(env, clock, 2 * MINUTE_MS);
    await env.app.runJob('slips.ask');
    expect(await news(member)).toEqual([refused(body.id, { origin: 'slip' })]);
  });

  const gift = async () => {
    const { code, link } = await env.control('vouchers', { amount: 50, phone: '0815550142' });
    const member = await env.member();
    const send = () => env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
    const idOf = async () =>
      (await env.pool.query('select id from gift_redemption where code = $1', [code])).rows[0].id as string;
    const fault = (kind: string) =>
      env.fault({ party: 'gift', call: 'redeem', kind, reference: code, count: 1 });
    return { code, member, send, idOf, fault };
  };

  test('a gift that fails after its call was answered', async () => {
    const { code, member, send, fault } = await gift();
    await fault('cut-before');
    const { body } = await send();
    expect(body.status).toBe('PENDING');
    await fetch(`${deps.config.GIFT_URL}/campaign/vouchers/${code}/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mobile: '0815550167', voucher_hash: code }),
    });
    await env.app.runJob('gifts.resolve', { id: body.id });
    expect(await news(member)).toEqual([refused(body.id, { amount: 50 })]);
  });

  test('a gift whose server stopped before its end was booked', async () => {
    const { member, send, idOf, fault } = await gift();
    const failing = holdItem(deps.ledger, 'gift_failed');
    await fault('refuse');
    const sending = send();
    await failing.held;
    const id = await idOf();
    await env.app.runJob('gifts.resolve', { id });
    expect(await news(member)).toEqual([refused(id, { amount: 50 })]);
    failing.release();
    await sending;
  });

  test('nothing that is refused within their own call: the screen shows it', async () => {
    const { member, send, fault } = await gift();
    await fault('refuse');
    expect(await send()).toMatchObject({ status: 400, body: { message: 'TRUELINK_INVALID' } });
    const { bytes } = await make(member);
    const received = await page(member);
    const { statementId } = (await upload(member, bytes)).body;
    expect((await upload(member, bytes)).body).toMatchObject({
      status: 'FAILED',
      message: 'DUPLICATE_REFERENCE',
    });
    expect(await news(member)).toEqual([refused(statementId, { status: 'SUCCESS', amount: 100 })]);
    expect(received.slips).toBe(0);
  });
});
