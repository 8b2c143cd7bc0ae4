import { DAY_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { pushedClock } from '../features/testing.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv, type TestMember } from '../testing/test-env.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);
const support = await operators.operator('support');

const find = async (text: string) =>
  (await operators.call(support, 'GET', `/api/operator/find?q=${encodeURIComponent(text)}`)).body.found;
const suspend = (member: TestMember) =>
  env.owner.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);

test('an error that sends to support has a reference; it leads support to the member, the call and the code', async () => {
  const member = await env.member();
  await suspend(member);
  const { status, body } = await env.call('GET', '/api/wallet?secret=1', undefined, { token: member.token });
  expect([status, body.message]).toEqual([403, 'INACTIVE_USER']);
  expect(body.data.reference).toMatch(/^ER-[0-9A-HJKMNP-TV-Z]{7}$/);
  await expect
    .poll(() => find(body.data.reference.toLowerCase()))
    .toEqual([
      {
        kind: 'error',
        id: body.data.reference,
        title: expect.any(String),
        amount: null,
        currency: 'BAHT',
        state: 'INACTIVE_USER',
        at: expect.any(String),
        memberId: String(member.id),
        call: 'GET /api/wallet',
        phone: null,
        account: null,
      },
    ]);
  const { rows } = await env.owner.query(
    'select e::text as kept from error_reference e where reference = $1',
    [body.data.reference],
  );
  expect(rows[0].kept).not.toContain(member.token);
  expect(rows[0].kept).not.toContain('secret');
  // Whatever of the member's is looked for, their errors are beside it.
  expect(await find(member.phone)).toContainEqual(expect.objectContaining({ id: body.data.reference }));
});

test('an error that the member can mend alone has none', async () => {
  const member = await env.member();
  const response = await env.call('POST', '/api/wallet/withdraw', { amount: 1 }, { token: member.token });
  expect(response.body.message).toBe('WITHDRAW_MINIMUM');
  expect(response.body.data).not.toHaveProperty('reference');
});

test('one caller gets twenty an hour, then the last again, and others go on getting theirs', async () => {
  const [member, other] = [await env.member(), await env.member()];
  await Promise.all([suspend(member), suspend(other)]);
  const request = async ({ token }: TestMember) =>
    (await env.call('GET', '/api/account/profile', undefined, { token })).body.data?.reference;
  const given = [];
  for (let count = 0; count < 25; count++) given.push(await request(member));
  expect(new Set(given.slice(0, 20)).size).toBe(20);
  expect(given[19]).toMatch(/^ER-/);
  expect(given.slice(20)).toEqual(Array(5).fill(given[19]));
  expect(await request(other)).toMatch(/^ER-/);
});

test('invented tokens do not lift the limit of their network', async () => {
  await env.set('register.open', false);
  const given: boolean[] = [];
  for (let count = 0; count < 110; count++) {
    const { body } = await env.call(
      'POST',
      '/api/otp/send',
      { phoneNumber: '0812345678' },
      { token: `invented-${count}` },
    );
    expect(body.message).toBe('REGISTER_FAIL');
    given.push(body.data?.reference !== undefined);
  }
  expect(given.filter(Boolean).length).toBeLessThanOrEqual(100);
  expect([given[0], given.at(-1)]).toEqual([true, false]);
});

test('what is older than thirty days is swept', async () => {
  const count = async () =>
    (await env.owner.query('select count(*)::int as count from error_reference')).rows[0].count;
  await expect.poll(count).toBeGreaterThan(20);
  clock.push(30 * DAY_MS + 1000);
  await env.app.runJob('housekeeping');
  expect(await count()).toBe(0);
});
