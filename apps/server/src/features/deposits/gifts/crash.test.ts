import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { type ApiResponse, startTestEnv, type TestMember } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';

const env = await startTestEnv({ jobs: false });
await env.set('unknown.absentGraceSeconds', 0);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const KEY = 'died-gift-1';
const send = (member: TestMember, link: string) =>
  env.call('POST', '/api/wallet/truelink', { link }, { token: member.token, key: KEY });

/** A call that ended its process when its attempt had this state, and the response to its repeat. */
async function died(
  fault: string | null,
  meanwhile: (id: string) => Promise<void>,
): Promise<[ApiResponse, ApiResponse]> {
  const member = await env.member();
  const { code, link } = await env.control('vouchers', { amount: 50 });
  if (fault) await env.fault({ party: 'gift', call: 'redeem', kind: fault, reference: code, count: 1 });
  const first = await send(member, link);
  const { rows } = await env.pool.query('select id, created_at from gift_redemption where code = $1', [code]);
  const [{ id, created_at: createdAt }] = rows;
  const unfinished = { id, type: 'deposit', status: 'PENDING', amount: 50, from: 'gift', to: 'wallet' };
  const { rowCount } = await env.owner.query(
    "update idempotency set state = 'RUNNING', refused = false, wallet_after = null, answer = $2 where member_id = $1",
    [member.id, JSON.stringify({ ...unfinished, createdAt: createdAt.toISOString(), message: 'OK' })],
  );
  expect(rowCount).toBe(1);
  await meanwhile(id);
  return [first, await send(member, link)];
}

const nothing = async () => undefined;
const resolve = (id: string) => env.app.runJob('gifts.resolve', { id });

test('a repeat of a crashed call gets the outcome of the gift, and redeems nothing again', async () => {
  // Each repeat first waits for the call that will never end, so all wait together.
  const [taken, open, found, refused] = await Promise.all([
    died(null, nothing),
    died('cut-after', nothing),
    died('cut-after', resolve),
    died('refuse', nothing),
  ]);
  expect(taken[1].body).toEqual(taken[0].body);
  expect(open[1].body).toMatchObject({ status: 'PENDING', amount: 50, wallet: { amount: 0 } });
  expect(found[1].body).toMatchObject({ status: 'SUCCESS', amount: 50, wallet: { amount: 50 } });
  expect(refused[1]).toMatchObject({ status: 400, body: { message: 'TRUELINK_INVALID' } });
  const { rows } = await env.pool.query(
    'select state, count(*)::int as count from gift_redemption group by 1 order by 1',
  );
  expect(rows).toEqual([
    { state: 'DONE', count: 2 },
    { state: 'FAILED', count: 1 },
    { state: 'UNKNOWN', count: 1 },
  ]);
});
