/**
 * An upgrade under load: the server before the newest migration takes withdrawals over HTTP, this one starts beside it
 * and migrates the same database, both serve, and the older one is stopped. Prints what members noticed, and whether
 * anything was lost.
 * Usage: npm run bench -- upgrade [older revision]
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifyLedger } from '@krapao/server/ledger';
import pg from 'pg';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { openBenchDatabase, percentile } from './src/bench-env.ts';
import { compare, startCrowd } from './src/crowd.ts';
import type { fillMembers } from './src/members.ts';
import { pause, startServer, stopServer, until } from './src/server.ts';

const ROOT = join(import.meta.dirname, '..');
const PHASE_MS = 4000;
const git = (...parts: string[]) => execFileSync('git', parts, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The commit before the one that brought the newest migration. */
function revisionBeforeNewestMigration(): string {
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', 'apps/server/database/0*');
  return git('rev-parse', `${added}~1`);
}

/** The older checkout beside this one, with this one's packages. */
function checkOut(revision: string): { folder: string; remove(): void } {
  const parent = mkdtempSync(join(tmpdir(), 'krapao-older-'));
  const folder = join(parent, 'checkout');
  git('worktree', 'add', '--quiet', '--detach', folder, revision);
  linkPackages(folder);
  return {
    folder,
    remove() {
      git('worktree', 'remove', '--force', folder);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** Everything installed here, but the older checkout's own workspaces. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@krapao'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@krapao') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  for (const group of ['apps', 'packages'])
    for (const part of readdirSync(join(folder, group))) {
      const own = join(group, part, 'node_modules');
      if (existsSync(join(ROOT, own))) symlinkSync(join(ROOT, own), join(folder, own));
      symlinkSync(join(folder, group, part), join(folder, 'node_modules/@krapao', part));
    }
}

const revision = process.argv[2] ?? revisionBeforeNewestMigration();
const older = checkOut(revision);
const env = await openBenchDatabase({ empty: true });
const servers = new Set<ChildProcess>();

/** How many migrations the database has seen; the application's role may not look. */
async function migrations(): Promise<number> {
  const client = new pg.Client(env.database.owner);
  await client.connect();
  const { rows } = await client.query('select count(*)::int as seen from kysely_migration');
  await client.end();
  return rows[0].seen;
}

async function start(port: number, checkout?: string): Promise<ChildProcess> {
  const server = await startServer(env.dataDir, port, { checkout });
  servers.add(server);
  return server;
}

let failures = 1;
try {
  const ports = { older: await freePort(), newer: await freePort() };
  const olderServer = await start(ports.older, older.folder);
  // By the older checkout: the database has its functions only.
  const members = await import(pathToFileURL(join(older.folder, 'bench/src/members.ts')).href);
  const fill: typeof fillMembers = members.fillMembers;
  const tokens = await fill(env.pool, {
    secrets: env.secrets,
    members: 50,
    fundsMinor: 1_000_000_000_000n,
    settings: { 'withdraw.automaticMax': { BAHT: 0, LAK: 0 }, 'withdraw.oneOpen': false },
  });
  const serving = [ports.older];
  let turn = 0;
  const url = () => `http://127.0.0.1:${serving[turn++ % serving.length]}`;
  const crowd = startCrowd({ url, tokens, inFlight: 32, amount: 100 });
  const phase = async (what: string) => {
    const from = crowd.times.length;
    await pause(PHASE_MS);
    await until(() => crowd.times.length > from, `answers while ${what}`);
    const times = crowd.times.slice(from);
    console.log(
      `${what}: ${times.length} withdrawals, median ${percentile(times, 0.5).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
    );
  };
  await phase(`the older server (${git('rev-parse', '--short', revision)}) alone`);
  const before = await migrations();
  const beside = phase('the newer one starting and migrating');
  await start(ports.newer);
  await beside;
  console.log(`${(await migrations()) - before} migrations were made`);
  serving.push(ports.newer);
  await phase('both');
  serving.shift();
  console.log(`the older one stopped with ${await stopServer(olderServer)}`);
  await phase('the newer one alone');
  await crowd.stop();
  const { lost, surplus } = await compare(env.pool, crowd.acknowledged);
  const findings = await verifyLedger(env.pool);
  console.log(`${crowd.acknowledged.length} acknowledged, ${lost.length} lost, ${surplus.length} done twice`);
  console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
  failures = lost.length + surplus.length + findings.length;
} finally {
  await Promise.all([...servers].filter((server) => server.exitCode === null).map(stopServer));
  await env.close();
  older.remove();
}
process.exit(failures === 0 ? 0 : 1);
