/**
 * Ledger posts a second of one, two and three servers (a process each) whose database has a synchronous standby 0, 1
 * and 5 ms away, beside pgbench on the same database in the same rounds. Also what two other designs could reach at
 * most: one writer for all servers (one server with the load of two and three), and a lock for each group of accounts
 * (a database, and so a lock, for each server).
 * Needs Debian's postgresql-15. Usage: npm run bench -- distance [rounds] [seconds]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createPool } from '@krapao/server/database';
import { verifyLedger } from '@krapao/server/ledger';
import { migrate } from '@krapao/server/migrate';
import { numberArgument } from './src/arguments.ts';
import { median } from './src/bench-env.ts';
import { startPair } from './src/distance/pair.ts';
import type { Load, Posted } from './src/distance/posting-server.ts';
import { findPgbench, preparePgbench, runPgbench } from './src/pgbench.ts';

const rounds = numberArgument(0, 3);
const seconds = numberArgument(1, 3);
const DISTANCES_MS = [0, 1, 5];
const FEW = 32;
const MANY = 512;
/** All servers post to the first; the others are each the only database of one server. */
const DATABASES = ['krapao', 'krapao_2', 'krapao_3'];

interface Kind {
  name: string;
  loads: Omit<Load, 'seconds'>[];
}
const inOneDatabase = (servers: number, inFlight: number): Kind['loads'] =>
  Array.from({ length: servers }, () => ({ database: 0, inFlight }));

const KINDS: Kind[] = [
  ...[1, 2, 3].map((servers) => ({
    name: `${servers} × ${MANY} in flight`,
    loads: inOneDatabase(servers, MANY),
  })),
  ...[1, 2, 3].map((servers) => ({
    name: `${servers} × ${FEW} in flight`,
    loads: inOneDatabase(servers, FEW),
  })),
  ...[2, 3].map((servers) => ({
    name: `one writer for ${servers} × ${FEW}`,
    loads: inOneDatabase(1, servers * FEW),
  })),
  ...[2, 3].map((servers) => ({
    name: `a lock each for ${servers} × ${FEW}`,
    loads: Array.from({ length: servers }, (_, database) => ({ database, inFlight: FEW })),
  })),
];

const pair = await startPair();
const { primary } = pair;
for (const database of DATABASES) {
  if (database !== DATABASES[0]) await primary.request(`create database ${database} owner krapao_owner`);
  await migrate({ connectionString: primary.url('krapao_owner', database) });
}
await primary.request('create database yardstick');
const pgbench = findPgbench();
const yardstick = { host: '127.0.0.1', port: primary.port, user: 'admin' };
await preparePgbench(pgbench, yardstick, 'yardstick');

const servers: ChildProcess[] = await Promise.all(
  [0, 1, 2].map(async (at) => {
    const urls = DATABASES.map((database) => primary.url('krapao_app', database));
    const server = fork(join(import.meta.dirname, 'src/distance/posting-server.ts'), [`s${at}`, ...urls]);
    await once(server, 'message');
    return server;
  }),
);

/** Runs one load in each server at the same time: their posts a second together, and the median time of a post. */
async function together({ loads }: Kind): Promise<Posted> {
  const posted = await Promise.all(
    loads.map(async (load, at): Promise<Posted> => {
      servers[at]!.send({ ...load, seconds } satisfies Load);
      const [message] = await once(servers[at]!, 'message');
      return message;
    }),
  );
  return {
    perSecond: posted.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50Ms: median(posted.map(({ p50Ms }) => p50Ms)),
  };
}

let holds = true;
for (const distanceMs of DISTANCES_MS) {
  pair.setDistance(distanceMs);
  const yard: number[] = [];
  const alone: number[] = [];
  const found = new Map<string, Posted[]>(KINDS.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    yard.push((await runPgbench(pgbench, yardstick, 'yardstick', seconds)).tps);
    alone.push((await together({ name: '', loads: inOneDatabase(1, 1) })).p50Ms);
    for (const kind of KINDS) found.get(kind.name)!.push(await together(kind));
  }
  console.log(
    `standby ${distanceMs} ms away: pgbench ${median(yard).toFixed(0)}/s, a post alone ${median(alone).toFixed(1)} ms`,
  );
  const rateOf = (name: string) => median(found.get(name)!.map(({ perSecond }) => perSecond));
  for (const { name } of KINDS) {
    const p50Ms = median(found.get(name)!.map((posted) => posted.p50Ms));
    const rate = rateOf(name);
    console.log(
      `  ${name}: ${rate.toFixed(0)}/s, ${(rate / median(yard)).toFixed(1)} × pgbench, p50 ${p50Ms.toFixed(1)} ms`,
    );
  }
  for (const [inFlight, bar] of [
    [MANY, 0.9],
    [FEW, 1.5],
  ] as const)
    for (const count of [2, 3]) {
      const ratio = rateOf(`${count} × ${inFlight} in flight`) / rateOf(`1 × ${inFlight} in flight`);
      holds &&= ratio >= bar;
      console.log(
        `  ${ratio >= bar ? 'holds' : 'MISSED'}  ${count} servers ÷ 1, ${inFlight} in flight each: ${ratio.toFixed(2)} (bar ${bar})`,
      );
    }
}
for (const server of servers) server.disconnect();
for (const database of DATABASES) {
  const connectionString = primary.url('krapao_owner', database);
  const pool = createPool(
    { connectionString },
    { max: 2, applicationName: 'bench', statementTimeoutMs: 600_000 },
  );
  const findings = await verifyLedger(pool);
  await pool.end();
  holds &&= findings.length === 0;
  console.log(`${database}: ${findings.length === 0 ? 'the books are right' : JSON.stringify(findings)}`);
}
pair.stop();
process.exit(holds ? 0 : 1);
