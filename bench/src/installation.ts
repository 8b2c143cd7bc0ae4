import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor } from '@krapao/server/database';
import pg from 'pg';
import { freePort } from '../../apps/server/src/testing/ports.ts';
import { killServer, stopServer, until } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A whole installation as processes: servers on one database, and the sandbox as their partners. */
export interface Installation {
  /** Addresses of the first server; partners call this one. */
  url: string;
  consoleUrl: string;
  /** Where members reach each server. */
  urls: readonly string[];
  sandboxUrl: string;
  /** The environment of the first server, for the command line. */
  env: NodeJS.ProcessEnv;
  dataDir: string;
  /** The process of a server, the first by default. */
  server(at?: number): ChildProcess;
  /** The process of the partners. */
  sandboxPid: number;
  /** Kills a server that runs, as a power cut does, and starts it again; resolves when it is ready. */
  restart(at: number): Promise<void>;
  /** Resolves when every server is ready; throws after two minutes, or when one has ended by itself. */
  allReady(): Promise<void>;
  /** A statement as the owner of the tables. */
  asOwner<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** A statement as PostgreSQL's superuser, on a connection of its own; the database must not be `DATABASE_URL`'s. */
  asSuperuser(sql: string): Promise<void>;
  /** The same connections, for helpers that take a pool. */
  owner: pg.Pool;
  /** One call of the sandbox's control API. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
  control(path: string, body?: unknown): Promise<any>;
  /** What `ledger verify` of the command line prints, and whether it found nothing. */
  verify(): { good: boolean; text: string };
  /** Resident memory of the first server's process in MB. */
  memoryMb(): number;
  stop(): Promise<void>;
}

/** What an installation is started with. */
export interface InstallationOptions {
  /** In force before the start resolves. */
  settings: Record<string, unknown>;
  /** Environment of every program. */
  env?: Record<string, string>;
  /** Servers on the one database. Default 1. */
  servers?: number;
  /** Additional environment of one server, read at each of its starts. */
  envOf?: (at: number) => Record<string, string>;
  /** The data folder; without it a temporary one is used and removed at the end. */
  dataDir?: string;
}

/** Whether a server serves. One whose clock is off on purpose is not ready for that alone, and is sent requests anyway. */
async function isReady(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) });
    if (reply.ok) return true;
    const { failed } = (await reply.json()) as { failed?: string[] };
    return failed?.join() === 'clock';
  } catch {
    return false;
  }
}

function spawnProgram(program: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [join(ROOT, program)], {
    env,
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Addresses of every partner at a sandbox. */
const partnersAt = (sandboxUrl: string): Record<string, string> => {
  const outside = `${sandboxUrl}/outside`;
  return {
    BANK_A_URL: `${outside}/bank-a`,
    BANK_B_URL: `${outside}/bank-b`,
    SLIP_URL: `${outside}/slip/slipok`,
    WW_URL: `${outside}/gateways/ww`,
    ZAPMAN_URL: `${outside}/gateways/zapman`,
    GIFT_URL: `${outside}/gift`,
    SMS_URL: `${outside}/sms`,
    PUSH_URL: `${outside}/push`,
    GAME_F_URL: `${outside}/game-f`,
    GAME_J_URL: `${outside}/game-j`,
  };
};

/** The servers of an installation: started one after the other, killed and started again. */
async function startServers(
  count: number,
  envOf: (at: number) => NodeJS.ProcessEnv,
  urls: readonly string[],
): Promise<Pick<Installation, 'server' | 'restart' | 'allReady'> & { all: readonly ChildProcess[] }> {
  const all: ChildProcess[] = [];
  const start = async (at: number) => {
    // Like every supervisor of services: one that could not start is started again.
    const ready = () => {
      if (!all[at] || hasEnded(all[at])) all[at] = spawnProgram('apps/server/src/main.ts', envOf(at));
      return isReady(urls[at]!);
    };
    await until(ready, `server ${at}`, 2);
  };
  for (let at = 0; at < count; at++) await start(at);
  return {
    all,
    server: (at = 0) => all[at]!,
    async restart(at) {
      if (!hasEnded(all[at]!)) await killServer(all[at]!);
      await start(at);
    },
    async allReady() {
      const ready = async () => {
        const ended = all.findIndex(hasEnded);
        if (ended >= 0) throw new Error(`server ${ended} has ended by itself`);
        return (await Promise.all(urls.map(isReady))).every(Boolean);
      };
      await until(ready, 'every server', 2);
    },
  };
}

/** How to reach the database as owner and as superuser. The servers alone keep it running. */
async function connectOwner(
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Installation, 'asOwner' | 'asSuperuser' | 'owner'>> {
  const database = await databaseFor({
    dataDir,
    databaseUrl: env.DATABASE_URL,
    databaseAppUrl: env.DATABASE_APP_URL,
  });
  await database.stop();
  const owner = new pg.Pool({ ...database.owner, max: 4 });
  owner.on('error', () => undefined);
  return {
    owner,
    asOwner: async (sql, values = []) => (await owner.query(sql, values)).rows,
    async asSuperuser(sql) {
      const client = new pg.Client({ ...database.owner, user: 'postgres' });
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    },
  };
}

async function setSettings({ asOwner }: Pick<Installation, 'asOwner'>, settings: Record<string, unknown>) {
  for (const [key, value] of Object.entries(settings))
    await asOwner(
      `insert into setting (key, value, updated_at) values ($1, $2::jsonb, now())
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [key, JSON.stringify(value)],
    );
}

/** Calls of a sandbox's control API. */
const controlOf =
  (sandboxUrl: string): Installation['control'] =>
  async (path, body) => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const reply = await fetch(`${sandboxUrl}/control/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : json),
    });
    return reply.json();
  };

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** Starts an installation on free ports with a database of its own. */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const count = options.servers ?? 1;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'krapao-bench-'));
  const [sandboxPort, ...ports] = (await freePorts(1 + 2 * count)) as [number, ...number[]];
  const urls = ports.slice(0, count).map(urlOf);
  const sandboxUrl = urlOf(sandboxPort);
  // Two arenas, as tools/start.ts starts the server.
  const memory = { MALLOC_ARENA_MAX: '2', LOG_LEVEL: 'silent' };
  const common = { ...process.env, ...memory, DATA_DIR: dataDir, ...partnersAt(sandboxUrl) };
  const envOf = (at: number): NodeJS.ProcessEnv => ({
    ...common,
    PORT: String(ports[at]),
    CONSOLE_PORT: String(ports[count + at]),
    ...options.env,
    ...options.envOf?.(at),
  });
  const env = envOf(0);
  const sandboxEnv = { SANDBOX_PORT: String(sandboxPort), SANDBOX_MEMORY: '1', PRODUCT_URL: urls[0]! };
  const sandbox = spawnProgram('apps/sandbox/src/main.ts', { ...common, ...options.env, ...sandboxEnv });
  await until(
    () =>
      fetch(`${sandboxUrl}/healthz`).then(
        (reply) => reply.ok,
        () => false,
      ),
    'the sandbox',
  );
  const { all, ...servers } = await startServers(count, envOf, urls);
  const database = await connectOwner(dataDir, env);
  await setSettings(database, options.settings);
  return {
    url: urls[0]!,
    consoleUrl: urlOf(ports[count]!),
    urls,
    sandboxUrl,
    env,
    dataDir,
    sandboxPid: sandbox.pid!,
    ...servers,
    ...database,
    control: controlOf(sandboxUrl),
    verify() {
      const program = join(ROOT, 'apps/server/src/admin.ts');
      const run = spawnSync(process.execPath, [program, 'ledger', 'verify'], { env, encoding: 'utf8' });
      return { good: run.status === 0, text: run.stdout.trim() || run.stderr.trim() };
    },
    memoryMb() {
      const status = readFileSync(`/proc/${all[0]!.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    async stop() {
      await database.owner.end();
      // The last server to stop stops the database.
      for (const server of [...all.filter((one) => !hasEnded(one)), sandbox]) await stopServer(server);
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
