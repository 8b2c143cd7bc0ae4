import { DAY_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../ledger/index.ts';
import { watchBystanders } from '../testing/fuzz/bystanders.ts';
import { restore, takeSnapshot } from '../testing/fuzz/callers.ts';
import { runFuzz } from '../testing/fuzz/run.ts';
import { fuzzSockets } from '../testing/fuzz/sockets.ts';
import { startTestEnv } from '../testing/test-env.ts';

/** `npm run bench -- fuzz` sends a million; this is a slice of it, another one every day. */
const COUNT = 6_000;
const SEED = Math.floor(Date.now() / DAY_MS);

const env = await startTestEnv({ jobs: false, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
await env.app.consoleHttp.listen({ port: 0, host: '127.0.0.1' });
const [callers, bystanders] = await Promise.all(
  [3, 3].map((count) =>
    Promise.all(Array.from({ length: count }, () => env.member({ amountMinor: 500_000n }))),
  ),
);

afterAll(async () => {
  expect(await verifyLedger(env.pool, [])).toEqual([]);
});

test(`generated requests of everybody (seed ${SEED}) are answered with public codes and without a fault`, async () => {
  const snapshot = await takeSnapshot(
    env.owner,
    callers!.map(({ id }) => id),
  );
  const entriesSince = await watchBystanders(
    env.owner,
    bystanders!.map(({ id }) => id),
  );
  const address = env.app.consoleHttp.server.address() as { port: number };
  const result = await runFuzz({
    origins: { member: env.url, console: `http://127.0.0.1:${address.port}` },
    seed: SEED,
    count: COUNT,
    inFlight: 8,
    repairEvery: 1_000,
    repair: () => restore(env.owner, snapshot, env.app.deps.clock.now()),
  });
  expect(Object.fromEntries(result.faults)).toEqual({});
  expect(result.sent).toBe(COUNT);
  // A run in which hardly anything succeeds tests the door only.
  expect(result.reached.size).toBeGreaterThan(80);
  expect((await entriesSince()).filter(({ isOperators }) => !isOperators)).toEqual([]);
});

test(`generated socket events (seed ${SEED}) are each answered with a public code`, async () => {
  const result = await fuzzSockets({ url: env.url, seed: SEED, count: 500 });
  expect(result.faults).toEqual([]);
  expect(result.responses.get('INVALID_REQUEST')).toBeGreaterThan(100);
  expect((await env.call('GET', '/healthz')).status).toBe(200);
});
