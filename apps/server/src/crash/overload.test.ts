import { Agent, type ClientRequest, request } from 'node:http';
import { expect, test } from 'vitest';
import { PROXY } from '../features/registration/testing-people.ts';
import { LOCKS_AWAITED } from '../testing/locks.ts';
import { startTestEnv, type TestMember, until } from '../testing/test-env.ts';

/** The most calls under way that the server takes here; few, since a call that waits for the ledger too long ends. */
const MOST = 300;

const env = await startTestEnv({ jobs: false, environment: { ...PROXY, CALLS_MAX: String(MOST) } });
await env.set('withdraw.oneOpen', false);
await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
// Many members, since the ledger decides the withdrawals of one after the other.
const members: TestMember[] = [];
while (members.length < 20)
  members.push(
    ...(await Promise.all(Array.from({ length: 10 }, () => env.member({ amountMinor: 100_000_000n })))),
  );
let turn = 0;

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
      // Members of many networks, since one has a third of the calls.
      'x-forwarded-for': `192.0.2.${turn % 50}`,
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
  // On a busy machine the calls may take longer than the 30 s after which an idle transaction ends.
  await client.query('set local idle_in_transaction_session_timeout = 0');
  await client.query('select pg_advisory_xact_lock(4711)');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Sends as many calls as are taken and `more`, and returns them once those above the maximum were answered. */
async function overload(more: number) {
  const all = Array.from({ length: MOST + more }, withdraw);
  const answered = new Map<Sent, Awaited<Sent['status']>>();
  for (const one of all) void one.status.then((status) => answered.set(one, status));
  await until(async () => answered.size >= more);
  await until(async () => (await env.owner.query(LOCKS_AWAITED)).rows.length > 0);
  return { refused: [...answered.values()], hanging: all.filter((one) => !answered.has(one)) };
}

test('above the maximum of concurrent calls, the next ones get 503 and Retry-After at once; health responds; nothing is lost', async () => {
  const release = await holdLedger();
  const { refused, hanging } = await overload(20);
  expect((await fetch(`${env.url}/healthz`)).status).toBe(200);
  expect(refused).toEqual(Array(20).fill({ status: 503, retryAfter: '1' }));
  expect(hanging.length).toBe(MOST);
  await release();
  const responses = await Promise.all(hanging.map((one) => one.status));
  expect(responses.filter((one) => one?.status !== 200)).toEqual([]);
  expect((await withdraw().status)?.status).toBe(200);
});

test('callers that hang up are not counted forever', async () => {
  const release = await holdLedger();
  const { hanging } = await overload(1);
  for (const one of hanging) one.request.destroy();
  await Promise.all(hanging.map((one) => one.status));
  await release();
  await until(async () => (await withdraw().status)?.status === 200);
});
