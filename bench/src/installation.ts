import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor } from '@krapao/server/database';
import pg from 'pg';
import { freePort } from '../../apps/server/src/testing/ports.ts';
import { killServer, stopServer, until } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');

/** An installation at work, on one machine or as a cluster: what members, operators and the benches reach of it. */
export interface Site {
  /** Where members reach it; partners call this address too. */
  url: string;
  consoleUrl: string;
  /** Addresses that members may use in turn. */
  urls: readonly string[];
  /** Where a server reports whether it is ready; proxies do not pass that on. */
  readyzUrl: string;
  /** The environment for the command line. */
  env: NodeJS.ProcessEnv;
  /** The processes of all servers. */
  servers(): readonly ChildProcess[];
  /** Resolves when every server is ready; throws after minutes, or when one has ended by itself. */
  allReady(): Promise<void>;
  /** A statement as the owner of the tables. */
  asOwner<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** The same connections, for helpers that take a pool. */
  owner: pg.Pool;
  /** One call of the sandbox's control API. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
  control(path: string, body?: unknown): Promise<any>;
  /** What `ledger verify` of the command line prints, and whether it found nothing. */
  verify(): { good: boolean; text: string };
  /** Resident memory in MB of the server process that has most. */
  memoryMb(): number;
  stop(): Promise<void>;
}

/** An installation on this machine: servers on one database, and the sandbox as their partners. */
export interface Installation extends Site {
  sandboxUrl: string;
  dataDir: string;
  /** The process of the partners. */
  sandboxPid: number;
  /** Kills a server that runs, as a power cut does, and starts it again; resolves when it is ready. */
  restart(at: number): Promise<void>;
  /** A statement as PostgreSQL's superuser, on a connection of its own; the database must not be `DATABASE_URL`'s. */
  asSuperuser(sql: string): Promise<void>;
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

/** Whether the server at an address serves. One whose clock is off on purpose is not ready for that alone, and is sent requests anyway. */
export async function isServing(url: string): Promise<boolean> {
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
export const partnersAt = (sandboxUrl: string): Record<string, string> => {
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
): Promise<Pick<Installation, 'servers' | 'restart' | 'allReady'>> {
  const all: ChildProcess[] = [];
  const start = async (at: number) => {
    // Like every supervisor of services: one that could not start is started again.
    const ready = () => {
      if (!all[at] || hasEnded(all[at])) all[at] = spawnProgram('apps/server/src/main.ts', envOf(at));
      return isServing(urls[at]!);
    };
    await until(ready, `server ${at}`, 2);
  };
  for (let at = 0; at < count; at++) await start(at);
  return {
    servers: () => all,
    async restart(at) {
      if (!hasEnded(all[at]!)) await killServer(all[at]!);
      await start(at);
    },
    async allReady() {
      const ready = async () => {
        const ended = all.findIndex(hasEnded);
        if (ended >= 0) throw new Error(`server ${ended} has ended by itself`);
        return (await Promise.all(urls.map(isServing))).every(Boolean);
      };
      await until(ready, 'every server', 2);
    },
  };
}

/** How to reach the database as owner and as superuser. The servers alone keep it running. */
export async function connectOwner(
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

/** Sets settings of a site; its servers read them at once. */
export async function setSettings({ asOwner }: Pick<Site, 'asOwner'>, settings: Record<string, unknown>) {
  for (const [key, value] of Object.entries(settings))
    await asOwner(
      `insert into setting (key, value, updated_at) values ($1, $2::jsonb, now())
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [key, JSON.stringify(value)],
    );
}

/** Calls of a sandbox's control API. */
export const controlOf =
  (sandboxUrl: string): Site['control'] =>
  async (path, body) => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const reply = await fetch(`${sandboxUrl}/control/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : json),
    });
    return reply.json();
  };

/** Returns whether every server that runs now still runs when it is called. */
export function watchServers({ servers }: Pick<Site, 'servers'>): () => boolean {
  const pids = servers().map(({ pid }) => pid);
  return () => servers().every((server, at) => !hasEnded(server) && server.pid === pids[at]);
}

/** Runs a command of the command line. */
export function runAdmin(env: NodeJS.ProcessEnv, ...words: string[]): { good: boolean; text: string } {
  const program = join(ROOT, 'apps/server/src/admin.ts');
  const run = spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8' });
  return { good: run.status === 0, text: run.stdout.trim() || run.stderr.trim() };
}

/** Runs `ledger verify` of the command line. */
export const verifyBooks = (env: NodeJS.ProcessEnv): ReturnType<Site['verify']> =>
  runAdmin(env, 'ledger', 'verify');

/** Resident memory in MB of the process that has most. */
export const mostMemoryMb = (processes: readonly ChildProcess[]): number =>
  Math.max(
    ...processes.map(({ pid }) => {
      const file = `/proc/${pid}/status`;
      // One that was killed has no more.
      const status = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    }),
  );

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
  const servers = await startServers(count, envOf, urls);
  const database = await connectOwner(dataDir, env);
  await setSettings(database, options.settings);
  return {
    url: urls[0]!,
    consoleUrl: urlOf(ports[count]!),
    urls,
    readyzUrl: `${urls[0]}/readyz`,
    sandboxUrl,
    env,
    dataDir,
    sandboxPid: sandbox.pid!,
    ...servers,
    ...database,
    control: controlOf(sandboxUrl),
    verify: () => verifyBooks(env),
    memoryMb: () => mostMemoryMb(servers.servers()),
    async stop() {
      await database.owner.end();
      // The last server to stop stops the database.
      for (const server of [...servers.servers().filter((one) => !hasEnded(one)), sandbox])
        await stopServer(server);
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
