/**
 * Kills the server and then its database, a given number of times each, while members request withdrawals over HTTP.
 * Counts acknowledged withdrawals that are missing or doubled afterwards. A request is repeated under its key until
 * it succeeds, as the member app does. Usage: npm run bench -- kills [times]
 */
import { verifyLedger } from '@krapao/server/ledger';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { numberArgument } from './src/arguments.ts';
import { openBenchDatabase } from './src/bench-env.ts';
import { compare, startCrowd } from './src/crowd.ts';
import { fillMembers } from './src/members.ts';
import { killDatabase, killServer, startServer, stopServer, until } from './src/server.ts';

const times = numberArgument(0, 100);
const RESPONSES_BETWEEN_KILLS = 30;

const env = await openBenchDatabase();
const tokens = await fillMembers(env.pool, {
  secrets: env.secrets,
  members: 20,
  fundsMinor: 1_000_000_000_000n,
  settings: { 'withdraw.automaticMax': { BAHT: 0, LAK: 0 }, 'withdraw.oneOpen': false },
});
const port = await freePort();
let server = await startServer(env.dataDir, port);
const crowd = startCrowd({ url: () => `http://127.0.0.1:${port}`, tokens, inFlight: 24, amount: 100 });
const { acknowledged } = crowd;

async function restartServer(): Promise<void> {
  await killServer(server);
  server = await startServer(env.dataDir, port);
}

for (const [what, kill] of [
  ['server', restartServer],
  ['database', () => killDatabase(env.dataDir)],
] as const) {
  const started = performance.now();
  for (let time = 1; time <= times; time++) {
    const before = acknowledged.length;
    await until(
      () => acknowledged.length >= before + RESPONSES_BETWEEN_KILLS,
      `answers before kill ${time} of the ${what}`,
    );
    await kill();
  }
  console.log(
    `${what} killed ${times} times in ${((performance.now() - started) / 1000).toFixed(0)} s; ${acknowledged.length} withdrawals acknowledged so far`,
  );
}
await crowd.stop();
// Calls in flight may have been answered before the last kill took effect.
const isBack = () =>
  env.pool.query('select 1').then(
    () => true,
    () => false,
  );
await until(isBack, 'the database after the last kill');

const { lost, surplus } = await compare(env.pool, acknowledged);
const findings = await verifyLedger(env.pool);
console.log(`${acknowledged.length} acknowledged, ${lost.length} lost, ${surplus.length} done twice`);
console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
await stopServer(server);
await env.close();
process.exit(lost.length + surplus.length + findings.length === 0 ? 0 : 1);
