/**
 * The operators' lists with very many rows: how long the first page, the second, the last and a filtered one take over
 * HTTP, in the list's own order and in the others, beside a call that reads no list.
 *
 * Lists that are not here cannot grow: bonuses, games, deposit accounts, operators, roles and webhook endpoints hold
 * what operators have set up. Alerts and approval requests that are open are few as well, since each stands for work of
 * an operator, but their lists show closed ones too, so they are measured. The timeline of a member joins all rows of
 * one member; the member of this bench owns a million of each kind, which none does, so it is left out.
 * Usage: npm run bench -- lists [rows of each list] [rounds]
 */
import { createHash, randomBytes } from 'node:crypto';
import { PERMISSIONS } from '@krapao/contract/operator';
import pg from 'pg';
import { insertListed, LISTED } from '../apps/server/src/testing/listed-rows.ts';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { numberArgument } from './src/arguments.ts';
import { judge, median, openBenchDatabase } from './src/bench-env.ts';
import { fillMembers } from './src/members.ts';
import { startServer, stopServer } from './src/server.ts';

const rows = numberArgument(0, 1_000_000);
const rounds = numberArgument(1, 15);
/** The longest a page may take, in ms. */
const PAGE_MS = 200;
const AIM_MS = 50;

const env = await openBenchDatabase();
await fillMembers(env.pool, { members: 1, fundsMinor: 100n, secrets: env.secrets, settings: {} });
const superuser = new pg.Client({ ...env.database.owner, user: 'postgres' });
await superuser.connect();
const token = randomBytes(32).toString('base64url');
await superuser.query("update operator_role set permissions = $1 where code = 'finance'", [[...PERMISSIONS]]);
await superuser.query(
  `with reader as (insert into operator (name, role, status, created_at) values ('bench', 'finance', 'ACTIVE', now()) returning id)
   insert into operator_session (token_hash, id, operator_id, created_at, seen_at, expires_at, address)
     select $1, 'bench', id, now(), now(), now() + interval '1 day', '127.0.0.1' from reader`,
  [createHash('sha256').update(token).digest()],
);
const consolePort = await freePort();
const server = await startServer(env.dataDir, await freePort(), { consolePort });

/** Stops server and database, also after a failure, so that neither they nor their files remain. */
async function close(): Promise<void> {
  await superuser.end();
  await stopServer(server);
  await env.close();
}
process.on('uncaughtException', (error) => {
  console.error(error);
  close().finally(() => process.exit(1));
});

// The server gives the members of a demo installation coins as it starts: the rows come afterwards.
for (const [name, list] of Object.entries(LISTED)) {
  const begun = performance.now();
  await superuser.query(insertListed(list, rows, env.secrets));
  console.log(`${name}: ${rows} rows written in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
await superuser.query('vacuum analyze');

const origin = `http://127.0.0.1:${consolePort}`;

interface Page {
  next: string | null;
  last: string | null;
  total: number;
}

async function read(path: string): Promise<Page> {
  const headers = { origin, 'x-requested-with': 'console-operator', cookie: `operator-session=${token}` };
  const reply = await fetch(origin + path, { headers });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Page;
}

/** The median time of a page; the first reading warms connections and plans up. */
async function timeOf(path: string): Promise<number> {
  await read(path);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await read(path);
    times.push(performance.now() - begun);
  }
  return median(times);
}

const yardstick = await timeOf('/api/operator/me');
console.log(`yardstick, a call that reads no list: ${yardstick.toFixed(1)} ms`);
console.log(
  '| List | First page | Second page | Last page | Filtered page | p50 of all |\n|---|---|---|---|---|---|',
);
const slowest: { name: string; reached: number; bar: number; aim: number; lowerIsBetter: true }[] = [];

/** A cell of the table: the slowest order's median. */
const cell = (times: readonly number[]): string =>
  times.length === 0 ? '' : `${Math.max(...times).toFixed(0)} ms`;

for (const [name, { path, sorts, filter }] of Object.entries(LISTED)) {
  const [firsts, seconds, lasts]: number[][] = [[], [], []];
  for (const sort of sorts.length > 0 ? sorts : ['']) {
    const order = sort && `sort=${sort}&`;
    const first = await read(path + order);
    const at = (cursor: string | null) =>
      timeOf(`${path}${order}${cursor ? new URLSearchParams({ cursor }) : ''}`);
    firsts!.push(await at(null));
    if (first.next) seconds!.push(await at(first.next));
    if (first.last) lasts!.push(await at(first.last));
  }
  const filtered = filter ? [await timeOf(path + filter)] : [];
  const times = [firsts!, seconds!, lasts!, filtered];
  const whole = median(times.flat());
  console.log(`| ${name} | ${times.map(cell).join(' | ')} | ${whole.toFixed(0)} ms |`);
  slowest.push({
    name,
    reached: Math.max(...times.flat()),
    bar: PAGE_MS,
    aim: AIM_MS,
    lowerIsBetter: true,
  });
}
const holds = judge(slowest.map((row) => ({ ...row, name: `${row.name}, slowest page, ms` })));
await close();
process.exit(holds ? 0 : 1);
