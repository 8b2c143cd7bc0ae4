import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { holdCall, holdItem, holdQuery } from '../../../testing/hold.ts';
import { startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';
import { giftJobs } from './settle.ts';

const env = await startTestEnv({ jobs: false });

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

interface Case {
  member: TestMember;
  code: string;
  link: string;
}

async function voucher(): Promise<Case> {
  const made = await env.control('vouchers', { amount: 50, phone: '0815550142' });
  return { member: await env.member(), ...made };
}

const send = ({ member, link }: Case) =>
  env.call('POST', '/api/wallet/truelink', { link }, { token: member.token });
const strike = ({ code }: Case, call: 'look' | 'redeem', kind: string) =>
  env.fault({ party: 'gift', call, kind, reference: code, count: 1 });

/** The redemption is older than its call and the grace after it. */
const endGrace = ({ code }: Case) =>
  env.owner.query(
    `update gift_redemption set sent_at = sent_at - interval '1 minute', tried_at = tried_at - interval '1 minute'
     where code = $1`,
    [code],
  );

async function resolve({ code }: Case): Promise<void> {
  const { rows } = await env.pool.query('select id from gift_redemption where code = $1', [code]);
  await env.app.runJob('gifts.resolve', { id: rows[0].id });
}

async function stateOf({ member, code }: Case) {
  const { rows } = await env.pool.query('select state from gift_redemption where code = $1', [code]);
  return [rows[0].state, await env.balance(member)];
}

async function redemptions({ code }: Case): Promise<number> {
  const { entries } = await env.control(`log?party=gift&call=redeem&reference=${code}&limit=100`);
  return entries.length;
}

const CLOSED = { state: 'CLOSED', reason: 'VOUCHER_OUT_OF_STOCK', isProven: false } as const;

test('a first redemption that is refused after a repeat was sent does not end the attempt, whose part we have', async () => {
  const one = await voucher();
  const first = holdCall(env.app.deps.gift!, 'redeem');
  const sending = send(one);
  await first.held;
  await endGrace(one);
  await strike(one, 'redeem', 'cut-after');
  await resolve(one);
  first.release({ outcome: 'ok', value: CLOSED });
  expect(await sending).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  expect(await stateOf(one)).toEqual(['UNKNOWN', 0n]);
  await resolve(one);
  expect([await stateOf(one), await redemptions(one)]).toEqual([['DONE', 5_000n], 1]);
});

test('a refusal that is being booked lets no repeat be sent', async () => {
  const one = await voucher();
  const failing = holdItem(env.app.deps.ledger, 'gift_failed');
  await strike(one, 'redeem', 'refuse');
  const sending = send(one);
  await failing.held;
  await endGrace(one);
  await resolve(one);
  failing.release();
  expect(await sending).toMatchObject({ status: 400, body: { message: 'TRUELINK_INVALID' } });
  expect([await stateOf(one), await redemptions(one)]).toEqual([['FAILED', 0n], 1]);
});

test('a refusal whose end was not booked, because its server stopped, ends the attempt at the next look', async () => {
  const one = await voucher();
  await strike(one, 'redeem', 'cut-before');
  expect(await send(one)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  await env.owner.query("update gift_redemption set reason = 'VOUCHER_OUT_OF_STOCK' where code = $1", [
    one.code,
  ]);
  await endGrace(one);
  await resolve(one);
  expect([await stateOf(one), await redemptions(one)]).toEqual([['FAILED', 0n], 1]);
});

test('a first redemption that was held up is not sent once the repeat has taken our part', async () => {
  const one = await voucher();
  const call = holdQuery(env.pool, 'from gift_redemption g join member');
  const sending = send(one);
  await call.held;
  await endGrace(one);
  await resolve(one);
  call.release();
  expect(await sending).toMatchObject({ status: 200, body: { status: 'SUCCESS', amount: 50 } });
  expect([await stateOf(one), await redemptions(one)]).toEqual([['DONE', 5_000n], 1]);
});

test('an attempt without an outcome opens its alert, also while no gift service is configured', async () => {
  const one = await voucher();
  await strike(one, 'redeem', 'cut-before');
  expect(await send(one)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  const { deps } = env.app;
  const { rows } = await env.owner.query(
    "update gift_redemption set sent_at = sent_at - interval '1 day' where code = $1 returning id",
    [one.code],
  );
  await giftJobs({ ...deps, gift: null }).tasks['gifts.resolve']!({ id: rows[0].id });
  const alerts = await env.owner.query('select kind from alert where subject = $1 and closed_at is null', [
    `gift:${rows[0].id}`,
  ]);
  expect(alerts.rows).toEqual([{ kind: 'gift-unknown' }]);
  await endGrace(one);
  await resolve(one);
  expect(await stateOf(one)).toEqual(['DONE', 5_000n]);
});
