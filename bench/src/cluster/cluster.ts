import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import {
  noS3Server,
  type S3Server,
  startS3Server,
} from '../../../apps/server/src/platform/file-stores/fixtures/s3-server.ts';
import type { Ports } from '../chat-client.ts';
import { isServing, partnersAt } from '../installation.ts';
import { pause, stopServer, until } from '../server.ts';
import { type Databases, DEPLOY, PASSWORD, responds, startDatabases } from './databases.ts';
import { HOST } from './machines.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LOCAL = '127.0.0.1';
const PRIMARY_PORT = 5000;
const POOLER_PORT = 6432;
const REDIS_PORT = 6390;
const SANDBOX_PORT = 7100;
const SANDBOX_URL = `http://${LOCAL}:${SANDBOX_PORT}`;
const SITE_PORT = 7000;
const CONSOLE_SITE_PORT = 7020;
const API_PORTS = [7001, 7002, 7003] as const;
const WORKER_PORTS = [7011, 7012] as const;
const CONSOLE_PORT = 7021;
const SEEDING_PORT = 7031;
/** Operators reach a program this far above its own port. */
const CONSOLE_OFFSET = 100;

/** Patroni 3.0.2 made a machine that had been cut off the primary again, without the commits of its successor. */
const PATRONI_MIN = 4;

/** A part of the cluster that can be killed and started again. */
export interface Part {
  kill(): unknown;
  /** Resolves when it serves. */
  start(): Promise<void>;
}

/** Kills a part and starts it again a second later; resolves when it serves. */
export async function restartPart(part: Part): Promise<void> {
  await part.kill();
  await pause(1_000);
  await part.start();
}

/** A part that is one process. */
export interface Program extends Part {
  process(): ChildProcess;
  isReady(): Promise<boolean>;
}

/** What a cluster is started with. */
export interface ClusterOptions {
  /** Environment of every program of the product, besides what the cluster needs. */
  env?: Record<string, string>;
  /** Additional environment of one worker, read at each of its starts. */
  workerEnv?: (at: number) => Record<string, string>;
}

/** The whole cluster on this machine: namespaces for the database machines, processes for the rest. */
export interface Cluster {
  /** Where members and operators reach the servers: Caddy's. */
  ports: Ports;
  /** Where a member server reports whether it is ready; Caddy does not pass that on. */
  readyzUrl: string;
  sandboxUrl: string;
  /** Environment that reaches the database, for the command line. */
  env: NodeJS.ProcessEnv;
  databases: Databases;
  parts: Record<'caddy' | 'haproxy' | 'pgbouncer' | 'redis' | 's3' | 'console', Part>;
  apis: readonly Program[];
  workers: readonly Program[];
  /** Every program that runs the product's server. */
  servers: readonly Program[];
  /** Adds what a first start adds for a trial: games, deposit accounts and operators. One server of all roles does it. */
  addDemo(): Promise<void>;
  /** Stops and starts the member servers in turn, as an upgrade does. */
  restartApis(): Promise<void>;
  stop(): Promise<void>;
}

/** Throws one sentence when a package or a right is missing. */
export function requirePrograms(): void {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const missing = [
    'patroni',
    'etcd',
    'caddy',
    'haproxy',
    'pgbouncer',
    'redis-server',
    'setpriv',
    'ip',
  ].filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length > 0)
    throw new Error(
      `Missing: ${missing.join(', ')}. apt-get install postgresql patroni python3-etcd etcd-server caddy haproxy pgbouncer redis-server iproute2`,
    );
  if (noS3Server) throw new Error(`The S3 store is missing. ${noS3Server}.`);
  if (process.getuid?.() !== 0) throw new Error('Network namespaces need root.');
  const version = execFileSync('patroni', ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1)!;
  if (Number.parseInt(version, 10) < PATRONI_MIN)
    throw new Error(`Patroni ${version} is too old: Debian 13 has 4. Put one first into PATH.`);
}

const run = (program: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(program, args, {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
    cwd: '/',
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });

function programOf(name: string, spawnIt: () => ChildProcess, isReady: () => Promise<boolean>): Program {
  let child: ChildProcess;
  return {
    process: () => child,
    isReady,
    kill: () => void child.kill('SIGKILL'),
    start() {
      child = spawnIt();
      return until(isReady, name, 3);
    },
  };
}

/** Whether something takes connections at a port. */
const isListening = (port: number, host: string) => (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Caddy, HAProxy, PgBouncer and Redis by the files of deploy/. Caddy has no certificate, as nothing leaves the machine. */
function proxies(folder: string, addresses: Databases['addresses']) {
  const userlist = join(folder, 'userlist.txt');
  const file = join(folder, 'pgbouncer.ini');
  const text = readFileSync(join(DEPLOY, 'pgbouncer/pgbouncer.ini'), 'utf8');
  writeFileSync(file, text.replace('host=haproxy', `host=${HOST}`).replace('/tmp/userlist.txt', userlist));
  writeFileSync(userlist, `"krapao_app" "${PASSWORD}"\n`);
  const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
  const sites = {
    HOME: folder,
    SITE_HOST: `http://${LOCAL}:${SITE_PORT}`,
    CONSOLE_SITE: `http://${LOCAL}:${CONSOLE_SITE_PORT}`,
    API_SERVERS: API_PORTS.map((port) => `${LOCAL}:${port}`).join(' '),
    CONSOLE_SERVERS: `${LOCAL}:${CONSOLE_PORT + CONSOLE_OFFSET}`,
  };
  return {
    caddy: programOf(
      'Caddy',
      () =>
        run('caddy', ['run', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'caddy/Caddyfile')], sites),
      isListening(SITE_PORT, LOCAL),
    ),
    haproxy: programOf(
      'HAProxy',
      () => run('haproxy', ['-W', '-db', '-f', join(DEPLOY, 'haproxy/haproxy.cfg')], addresses),
      () => responds(`http://${HOST}:8404/metrics`),
    ),
    pgbouncer: programOf(
      'PgBouncer',
      () => run('setpriv', [...asPostgres, 'pgbouncer', file], {}),
      isListening(POOLER_PORT, HOST),
    ),
    redis: programOf(
      'Redis',
      () => run('redis-server', ['--port', String(REDIS_PORT), '--bind', LOCAL, '--save', ''], {}),
      isListening(REDIS_PORT, LOCAL),
    ),
  };
}

/** What every program of the product is started with. */
function environmentOf(dataDir: string, s3: S3Server, more: Record<string, string> = {}) {
  return {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    SECRET: 'a secret of the cluster bench, 32 characters',
    DATABASE_URL: `postgres://krapao_owner:${PASSWORD}@${HOST}:${PRIMARY_PORT}/krapao`,
    DATABASE_APP_URL: `postgres://krapao_app:${PASSWORD}@${HOST}:${POOLER_PORT}/krapao`,
    DATABASE_STANDBY: 'required',
    // Caddy's address; callers from other loopback addresses are counted each for itself.
    TRUSTED_PROXIES: LOCAL,
    STOP_DELAY_SECONDS: '5',
    ...s3.environment,
    REDIS_URL: `redis://${LOCAL}:${REDIS_PORT}`,
    SANDBOX_PORT: String(SANDBOX_PORT),
    SANDBOX_MEMORY: '1',
    PRODUCT_URL: `http://${LOCAL}:${SITE_PORT}`,
    ...partnersAt(SANDBOX_URL),
    ...more,
  };
}

/** The sandbox and the servers by role. */
function programs(env: NodeJS.ProcessEnv, workerEnv: ClusterOptions['workerEnv'] = () => ({})) {
  const program = (path: string, more: NodeJS.ProcessEnv) =>
    run(process.execPath, [join(ROOT, path)], { ...env, ...more });
  const server = (roles: string, port: number, moreEnv = (): Record<string, string> => ({})) =>
    programOf(
      `${roles} at ${port}`,
      () =>
        program('apps/server/src/main.ts', {
          ROLES: roles,
          PORT: String(port),
          CONSOLE_PORT: String(port + CONSOLE_OFFSET),
          ...moreEnv(),
        }),
      () => isServing(`http://${LOCAL}:${port}`),
    );
  return {
    sandbox: programOf(
      'sandbox',
      () => program('apps/sandbox/src/main.ts', {}),
      () => responds(`${SANDBOX_URL}/healthz`),
    ),
    apis: API_PORTS.map((port) => server('api', port)),
    workers: WORKER_PORTS.map((port, at) => server('worker', port, () => workerEnv(at))),
    console: server('console', CONSOLE_PORT),
    seeding: server('api,console,worker', SEEDING_PORT),
  };
}

/** Starts three databases, etcd, Caddy, HAProxy, PgBouncer, Redis, an S3 store, the sandbox, three member servers, two workers and a console. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  requirePrograms();
  const folder = mkdtempSync('/var/tmp/krapao-cluster-');
  chmodSync(folder, 0o755);
  const databases = await startDatabases(folder);
  const { caddy, haproxy, pgbouncer, redis } = proxies(folder, databases.addresses);
  execFileSync('chown', ['postgres', join(folder, 'userlist.txt')]);
  const s3 = await startS3Server();
  const env = environmentOf(join(folder, 'data'), s3, options.env);
  mkdirSync(env.DATA_DIR);
  const { sandbox, apis, workers, console: operators, seeding } = programs(env, options.workerEnv);
  const servers = [...apis, ...workers, operators];
  const all = [haproxy, pgbouncer, redis, sandbox, ...servers, caddy];
  for (const part of all) await part.start();
  return {
    ports: { member: SITE_PORT, console: CONSOLE_SITE_PORT },
    readyzUrl: `http://${LOCAL}:${API_PORTS[0]}/readyz`,
    sandboxUrl: SANDBOX_URL,
    env,
    databases,
    parts: { caddy, haproxy, pgbouncer, redis, s3, console: operators },
    apis,
    workers,
    servers,
    async addDemo() {
      await seeding.start();
      await stopServer(seeding.process());
    },
    async restartApis() {
      for (const part of apis) {
        await stopServer(part.process());
        await part.start();
      }
    },
    async stop() {
      for (const part of all.reverse()) part.kill();
      databases.stop();
      await s3.remove();
      await pause(500);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
