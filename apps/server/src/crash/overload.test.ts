import { Agent, type ClientRequest, request } from 'node:http';
import { expect, test } from 'vitest';
import { LOCKS_AWAITED } from '../testing/locks.ts';
import { startTestEnv, type TestMember, until } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
await env.set('withdraw.oneOpen', false);
await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
// Many members, since the ledger decides the withdrawals of one after the other.
const members: TestMember[] = [];
while (members.length < 100)
  members.push(
    ...(await Promise.all(Array.from({ length: 10 }, () => env.member({ amountMinor: 100_000_000n })))),
  );
let turn = 0;

/** The most calls under way that the server takes. */
const MOST = 3000;

interface Sent {
  request: ClientRequest;
  status: Promise<{ status: number; retryAfter: string | undefined } | null>;
}

const agent = new Agent({ keepAlive: false });

/** One withdrawal on a connection of its own; null when the connection ended without an answer. */
function withdraw(): Sent {
  const sent = request(`${env.url}/api/wallet/withdraw`, {
    agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'wallet-user',
      authorization: `Bearer ${members[turn++ % members.length]!.token}`,
    },
  });
  const status = new Promise<Awaited<Sent['status']>>((done) => {
    sent.once('response', (reply) => {
      reply
        .resume()
        .once('end', () => done({ status: reply.statusCode!, retryAfter: reply.headers['retry-after'] }));
    });
    sent.once('error', () => done(null));
  });
  sent.end('{"amount":100}');
  return { request: sent, status };
}

/** Holds the ledger's lock, so that money calls stay under way, until the answer is called. */
async function holdLedger(): Promise<() => Promise<void>> {
  const client = await env.owner.connect();
  await client.query('begin');
  // Thousands of calls take longer than the 30 s after which an idle transaction ends, on a busy machine.
  await client.query('set local idle_in_transaction_session_timeout = 0');
  await client.query('select pg_advisory_xact_lock(4711)');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** So many calls that hang, all of them arrived. */
async function pile(count: number): Promise<Sent[]> {
  const all: Sent[] = [];
  // In portions, as no listening queue takes thousands at one stroke.
  for (let at = 0; at < count; at += 250) {
    all.push(...Array.from({ length: Math.min(250, count - at) }, withdraw));
    await until(async () => env.app.deps.ledger.waiting() + 200 >= Math.min(all.length, MOST));
  }
  await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length > 0);
  return all;
}

test('past the most calls under way, the next ones hear 503 and Retry-After at once; health answers; nothing is lost', async () => {
  const release = await holdLedger();
  const hanging = await pile(MOST);
  const refused: NonNullable<Awaited<Sent['status']>>[] = [];
  for (let time = 0; time < 20; time++) refused.push((await withdraw().status)!);
  expect((await fetch(`${env.url}/healthz`)).status).toBe(200);
  // All of it before any of those under way could end.
  expect(refused.map((one) => [one.status, one.retryAfter])).toEqual(Array(20).fill([503, '1']));
  await release();
  const responses = await Promise.all(hanging.map((one) => one.status));
  expect(responses.filter((one) => one?.status !== 200)).toEqual([]);
  expect((await withdraw().status)?.status).toBe(200);
});

test('callers that hang up are not counted forever', async () => {
  const release = await holdLedger();
  const hanging = await pile(MOST);
  for (const one of hanging) one.request.destroy();
  await Promise.all(hanging.map((one) => one.status));
  await release();
  await until(async () => (await withdraw().status)?.status === 200);
});
