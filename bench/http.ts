/**
 * The product's money call over HTTP against pgbench in the same rounds: POST /api/wallet/withdraw with bearer token,
 * validation, idempotency key, rules, hold, withdrawal row and statement row, over keep-alive connections. The rate is
 * that of the best of 64, 128 and 256 in flight, as pgbench's is of its best of 8, 16 and 32 clients; p99 is at 64.
 * The server is a process of its own, as installed; withdrawals wait for an operator, so no bank is called.
 * Usage: npm run bench -- http [rounds] [seconds]
 */
import { verifyLedger } from '@krapao/server/ledger';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { numberArgument } from './src/arguments.ts';
import { createYardstick, judge, median, openBenchDatabase, percentile } from './src/bench-env.ts';
import { cpuMs, databaseCpuMs } from './src/cpu.ts';
import { runLoad } from './src/http-load.ts';
import { fillMembers } from './src/members.ts';
import { findPgbench, preparePgbench, runPgbench } from './src/pgbench.ts';
import { startServer, stopServer } from './src/server.ts';

const rounds = numberArgument(0, 5);
const seconds = numberArgument(1, 4);
const IN_FLIGHT = [64, 128, 256] as const;

const program = findPgbench();
const env = await openBenchDatabase();
const yardstick = await createYardstick(env.database.owner);
await preparePgbench(program, env.database.owner, yardstick);
const tokens = await fillMembers(env.pool, {
  secrets: env.secrets,
  members: 10_000,
  fundsMinor: 100_000_000n,
  settings: {
    'withdraw.minimum': { BAHT: 1, LAK: 700 },
    'withdraw.automaticMax': { BAHT: 0, LAK: 0 },
    'withdraw.oneOpen': false,
  },
});
const port = await freePort();
const server = await startServer(env.dataDir, port);
const ratios: number[] = [];
const ratiosAt64: number[] = [];
const p99s: number[] = [];

/** One load, and what it took of both programs. */
async function measure(inFlight: number) {
  const before = { server: cpuMs(server.pid!), database: databaseCpuMs(env.dataDir) };
  const { rate, times } = await runLoad({ port, tokens, inFlight, seconds });
  const perCall = (usedMs: number) => ((usedMs * 1000) / times.length).toFixed(0);
  const serverUs = perCall(cpuMs(server.pid!) - before.server);
  const databaseUs = perCall(databaseCpuMs(env.dataDir) - before.database);
  const p99 = percentile(times, 0.99);
  console.log(
    `  ${inFlight} in flight: ${rate.toFixed(0)}/s, median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `CPU a call: server ${serverUs} µs, database ${databaseUs} µs`,
  );
  return { inFlight, rate, p99 };
}

await runLoad({ port, tokens, inFlight: IN_FLIGHT[0], seconds: 2 });
for (let round = 1; round <= rounds; round++) {
  const yard = await runPgbench(program, env.database.owner, yardstick, seconds);
  console.log(`round ${round}: pgbench ${yard.tps.toFixed(0)}/s (${yard.clients} clients)`);
  const at64 = await measure(IN_FLIGHT[0]);
  const all = [at64];
  for (const inFlight of IN_FLIGHT.slice(1)) all.push(await measure(inFlight));
  ratios.push(Math.max(...all.map(({ rate }) => rate)) / yard.tps);
  ratiosAt64.push(at64.rate / yard.tps);
  p99s.push(at64.p99);
}
console.log(`at ${IN_FLIGHT[0]} in flight alone: ${median(ratiosAt64).toFixed(2)} of pgbench`);
const good = judge([
  { name: 'HTTP money call ÷ pgbench', reached: median(ratios), bar: 1, aim: 2 },
  {
    name: `p99 in ms at ${IN_FLIGHT[0]} in flight`,
    reached: median(p99s),
    bar: 50,
    aim: 20,
    lowerIsBetter: true,
  },
]);
const findings = await verifyLedger(env.pool);
console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
await stopServer(server);
await env.close();
process.exit(good && findings.length === 0 ? 0 : 1);
