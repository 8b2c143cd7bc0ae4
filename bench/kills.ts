/**
 * Kills the server, then its database, so many times each while members ask for withdrawals over HTTP, and counts
 * what was acknowledged and is not there afterwards, or is there twice. A wish is sent again under its key until it
 * is answered with yes, as the member's app does.
 * Usage: npm run bench -- kills [times]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedger } from '@krapao/server/ledger';
import { compare, startCrowd } from './src/crowd.ts';
import { fillMembers } from './src/members.ts';
import { freePort, startServer, stopServer, until } from './src/server.ts';
import { openBenchDatabase } from './src/town.ts';

const times = Number(process.argv[2] ?? 100);
const ANSWERS_BETWEEN_KILLS = 30;

const town = await openBenchDatabase();
const tokens = await fillMembers(town.pool, {
  members: 20,
  fundsMinor: 1_000_000_000_000n,
  settings: { 'withdraw.automaticMax': { BAHT: 0, LAK: 0 }, 'withdraw.oneOpen': false },
});
const port = await freePort();
let server = await startServer(town.dataDir, port);
const crowd = startCrowd({ url: () => `http://127.0.0.1:${port}`, tokens, inFlight: 24, amount: 100 });
const { acknowledged } = crowd;

async function killServer(): Promise<void> {
  server.kill('SIGKILL');
  await new Promise((resume) => server.once('exit', resume));
  server = await startServer(town.dataDir, port);
}

/** Whether a process was there to be killed: after the last kill the next one may still be on its way. */
function hasKilled(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

async function killDatabase(): Promise<void> {
  const file = join(town.dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const pid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0);
  await until(() => hasKilled(pid()), 'a database to kill');
}

for (const [what, kill] of [
  ['server', killServer],
  ['database', killDatabase],
] as const) {
  const started = performance.now();
  for (let time = 1; time <= times; time++) {
    const before = acknowledged.length;
    await until(
      () => acknowledged.length >= before + ANSWERS_BETWEEN_KILLS,
      `answers before kill ${time} of the ${what}`,
    );
    await kill();
  }
  console.log(
    `${what} killed ${times} times in ${((performance.now() - started) / 1000).toFixed(0)} s; ${acknowledged.length} withdrawals acknowledged so far`,
  );
}
await crowd.stop();

const { lost, surplus } = await compare(town.pool, acknowledged);
const findings = await verifyLedger(town.pool);
console.log(`${acknowledged.length} acknowledged, ${lost.length} lost, ${surplus.length} done twice`);
console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
await stopServer(server);
await town.close();
process.exit(lost.length + surplus.length + findings.length === 0 ? 0 : 1);
