import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const members = [await env.member(), await env.member(), await env.member()] as const;
const { memberExports } = env.app.deps.budgets;
const ROWS = 80_000;
const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.destroy();
});

beforeAll(async () => {
  for (const { id } of members.slice(0, 2))
    await env.owner.query(
      `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
       select $1::bigint, 1000 + n, 'ST' || $1::bigint || 'X' || n, 'transfer', 'SUCCESS', 'wallet', 'betflix', 100, now(), now()
       from generate_series(1, $2) n`,
      [id, ROWS],
    );
});

/** Requests the member's statement and reads nothing but the first bytes. */
async function stall(member: TestMember): Promise<void> {
  const socket = connect(Number(new URL(env.url).port), '127.0.0.1');
  open.push(socket);
  socket.write(
    `POST /api/statement/csv HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${member.token}\r\nx-requested-with: wallet-user\r\n` +
      'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  );
  const [data] = await once(socket, 'data');
  socket.pause();
  expect(String(data)).toMatch(/^HTTP\/1.1 200 /);
}

const take = (member: TestMember) =>
  fetch(`${env.url}/api/statement/csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' },
    body: '{}',
  });

test('readers who stall hold no connection, and keep neither themselves nor operators from theirs', async () => {
  const [one, two, three] = members;
  await stall(one);
  expect((await take(one)).status).toBe(429);
  await stall(two);
  const refused = await take(three);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  const own = await env.call('POST', '/api/account/export', {}, { token: three.token });
  expect(own.status).toBe(503);
  // Neither has ended: their files are larger than what the way takes unread.
  expect(memberExports.used()).toBe(2);
  const { rows } = await env.owner.query(
    "select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  expect(rows).toEqual([{ open: 0 }]);
  await expect.poll(() => env.pool.totalCount - env.pool.idleCount).toBeLessThanOrEqual(6);
  const lead = await operators.operator('finance-lead');
  expect((await operators.call(lead, 'GET', '/api/operator/export/members.csv')).status).toBe(200);
  for (const socket of open) socket.destroy();
  await expect.poll(() => memberExports.used()).toBe(0);
  const again = await take(one);
  expect(again.status).toBe(200);
  const text = await again.text();
  expect(text.trim().split('\r\n')).toHaveLength(ROWS + 1);
});
