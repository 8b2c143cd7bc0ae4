/**
 * The whole cluster of deploy/ on one machine, network namespaces standing in for the database machines: three PostgreSQL
 * under Patroni and etcd, Caddy, HAProxy, PgBouncer, Redis, an S3 store, three member servers, two workers and a console, under
 * a load of withdrawals with live members, conversations and pictures. Each part is killed, frozen or cut off twice;
 * nothing acknowledged may be lost or done twice. Needs root and Debian's packages, which it names when they are missing.
 * Usage: npm run bench -- cluster [repeats] [in flight] [words of a failure's name]
 */
import { databaseFor } from '@krapao/server/database';
import { verifyLedger } from '@krapao/server/ledger';
import pg from 'pg';
import { readConfig } from '../apps/server/src/platform/config.ts';
import { createSecrets } from '../apps/server/src/platform/secrets.ts';
import { signAgentIn } from './src/agent-session.ts';
import { numberArgument } from './src/arguments.ts';
import { startChatLoad } from './src/cluster/chat-load.ts';
import { type Cluster, restartPart, startCluster } from './src/cluster/cluster.ts';
import { startLoad } from './src/cluster/load.ts';
import { compare } from './src/crowd.ts';
import { fillMembers } from './src/members.ts';
import { pause } from './src/server.ts';

const repeats = numberArgument(0, 2);
const inFlight = numberArgument(1, 24);
const only = process.argv[4] ?? '';
const FROZEN_MS = 30_000;
/** Members who also chat. */
const CHATTING = 6;
/** Sockets and standbys come back in this time after a drill. */
const SETTLE_MS = 8_000;

interface Drill {
  name: string;
  /** The longest time without a money call that succeeded, in s. */
  barSeconds: number;
  /** Calls wait: none is answered 503, and no connection breaks. */
  isSilent?: true;
  run(cluster: Cluster): Promise<unknown>;
}

const DRILLS: Drill[] = [
  { name: 'nothing', barSeconds: 1, isSilent: true, run: () => pause(5_000) },
  {
    name: 'switchover',
    barSeconds: 3,
    isSilent: true,
    run: async (cluster) => cluster.databases.switchover(await cluster.databases.primary()),
  },
  {
    name: "primary's process killed",
    barSeconds: 5,
    run: async (cluster) => cluster.databases.killPostgres(await cluster.databases.primary()),
  },
  {
    name: "primary's machine lost",
    barSeconds: 23,
    async run(cluster) {
      const machine = await cluster.databases.primary();
      machine.signal('SIGKILL');
      await pause(FROZEN_MS);
      cluster.databases.startMachine(machine);
    },
  },
  {
    name: "primary's machine frozen",
    barSeconds: 23,
    async run(cluster) {
      const machine = await cluster.databases.primary();
      machine.signal('SIGSTOP');
      await pause(FROZEN_MS);
      machine.signal('SIGCONT');
    },
  },
  {
    name: "primary's machine cut off",
    barSeconds: 23,
    async run(cluster) {
      const machine = await cluster.databases.primary();
      machine.connect(false);
      await pause(FROZEN_MS);
      machine.connect(true);
    },
  },
  {
    name: "standby's process killed",
    barSeconds: 3,
    run: async (cluster) => cluster.databases.killPostgres(await cluster.databases.standby()),
  },
  { name: 'Caddy killed', barSeconds: 3, run: ({ parts }) => restartPart(parts.caddy) },
  { name: 'HAProxy killed', barSeconds: 3, run: ({ parts }) => restartPart(parts.haproxy) },
  { name: 'PgBouncer killed', barSeconds: 3, run: ({ parts }) => restartPart(parts.pgbouncer) },
  { name: 'Redis killed', barSeconds: 3, run: ({ parts }) => restartPart(parts.redis) },
  { name: 'S3 store killed', barSeconds: 3, run: ({ parts }) => restartPart(parts.s3) },
  { name: 'member server killed', barSeconds: 3, run: ({ apis }) => restartPart(apis[1]!) },
  { name: 'worker killed', barSeconds: 3, run: ({ workers }) => restartPart(workers[0]!) },
  { name: 'console killed', barSeconds: 3, run: ({ parts }) => restartPart(parts.console) },
  {
    name: 'rolling restart of the member servers',
    barSeconds: 3,
    isSilent: true,
    run: (cluster) => cluster.restartApis(),
  },
];

const cluster = await startCluster();
let holds = true;
try {
  const database = await databaseFor({
    dataDir: '',
    databaseUrl: cluster.env.DATABASE_URL,
    databaseAppUrl: cluster.env.DATABASE_APP_URL,
  });
  const pool = new pg.Pool({ ...database.direct, max: 2 });
  pool.on('error', () => undefined);
  const tokens = await fillMembers(pool, {
    secrets: createSecrets(readConfig(cluster.env).SECRET),
    members: inFlight,
    fundsMinor: 1_000_000_000_000n,
    settings: { 'withdraw.automaticMax': { BAHT: 0, LAK: 0 }, 'withdraw.oneOpen': false },
  });
  const load = startLoad(`http://127.0.0.1:${cluster.ports.member}`, tokens, inFlight);
  const chatting = tokens.slice(0, CHATTING).map((token, at) => ({ id: String(200_001 + at), token }));
  const chats = await startChatLoad(pool, chatting, [cluster.ports], await signAgentIn(database.owner));
  await pause(SETTLE_MS);
  let known = 0;
  for (const drill of DRILLS.filter(({ name }) => name.includes(only)))
    for (let time = 1; time <= repeats; time++) {
      load.begin();
      await drill.run(cluster);
      const anew = await cluster.databases.healthy();
      await pause(SETTLE_MS);
      const lost = (await compare(pool, [...load.acknowledged])).lost.length - known;
      known += lost;
      const { gapSeconds, calls, unavailable, broken, failed, deaf } = load.observed();
      const good =
        gapSeconds <= drill.barSeconds &&
        failed.length === 0 &&
        deaf === 0 &&
        !(drill.isSilent && unavailable + broken > 0);
      holds &&= good;
      console.log(
        `${good ? 'holds ' : 'MISSED'} ${drill.name}: ${gapSeconds.toFixed(1)} s without money (bar ${drill.barSeconds}), ` +
          `${calls} calls, ${unavailable} × 503, ${broken} broken, ${failed.length} failed${failed[0] ? ` (${failed[0]})` : ''}, ${deaf} sockets deaf, ${lost} lost` +
          (anew.length > 0 ? `; made anew: ${anew.join(', ')}` : ''),
      );
    }
  await load.stop();
  const { lost, surplus } = await compare(pool, load.acknowledged);
  const twice = load.acknowledged.length - new Set(load.acknowledged).size;
  console.log(
    `${load.acknowledged.length} acknowledged, ${lost.length} lost, ${surplus.length} without an acknowledgement, ${twice} twice`,
  );
  const chat = await chats.stop();
  const sides = [chat.members, chat.agent];
  const [lostMessages, doubled, disordered] = (['lost', 'doubled', 'disordered'] as const).map((what) =>
    sides.map((side) => side[what]).join(' and '),
  );
  console.log(
    `${chat.messages} messages acknowledged; for members and the agent ${lostMessages} lost, ${doubled} twice, ${disordered} out of order; ` +
      `${chat.pictures} pictures acknowledged, ${chat.lostPictures} lost`,
  );
  holds &&=
    chat.lostPictures === 0 && sides.every((side) => Object.values(side).every((count) => count === 0));
  const findings = await verifyLedger(pool);
  console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings).slice(0, 1_000));
  holds &&= lost.length + surplus.length + twice === 0 && findings.length === 0;
  await pool.end();
} finally {
  await cluster.stop();
}
console.log(holds ? 'holds' : 'MISSED');
process.exit(holds ? 0 : 1);
