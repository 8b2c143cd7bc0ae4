import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseFor } from '../apps/server/src/platform/database/connect.ts';
import { freePort } from '../apps/server/src/testing/ports.ts';

const ROOT = join(import.meta.dirname, '..');
const READY_WITHIN_MS = 120_000;
const SERVER = 'apps/server/src/main.ts';

/** The session cookies of two administrators: one requests, the other approves. */
export interface StaffFixtures {
  maker: string;
  checker: string;
}

/** The product and the sandbox, each a process of its own, on a database of its own. */
export interface TestEnv {
  url: string;
  consoleUrl: string;
  sandboxUrl: string;
  dataDir: string;
  /** Who lets operators in, in a test environment begun from a prepared folder. */
  staff?: StaffFixtures;
  /** The server ends as a power cut does, is away while the work is done, and starts again. */
  cutPower(meanwhile: () => Promise<void>): Promise<void>;
  /** The server is stopped as an operator does for an upgrade, and starts again. */
  restart(): Promise<void>;
  /** The database ends its connections and takes no writes while the work is done, as one that another has replaced. */
  demote(meanwhile: () => Promise<void>): Promise<void>;
  /** Ends the processes; the folder stays. */
  end(): Promise<void>;
  /** Ends the processes and takes the folder away. */
  stop(): Promise<void>;
}

/** A stopped test environment's folder for others to begin with, and who is signed in there. */
export interface Prepared {
  folder: string;
  staff: StaffFixtures;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + READY_WITHIN_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`${url} ended with code ${child.exitCode}`);
    if (
      await fetch(url).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${url} did not become ready`);
}

const run = (program: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(ROOT, program)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await new Promise((resume) => child.once('exit', resume));
}

/** PostgreSQL's superuser on the database of a folder, which a server keeps running. */
async function openSuperuser(dataDir: string): Promise<pg.Client> {
  const database = await databaseFor({ dataDir });
  const client = new pg.Client({ ...database.owner, user: 'postgres', application_name: 'e2e' });
  await client.connect();
  await database.stop();
  return client;
}

const READ_ONLY = 'default_transaction_read_only';
const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'krapao%' and application_name <> 'krapao keeper'`;

/** Copies a prepared folder: half of what a start costs is the making of the database and its tables. */
function copyPrepared(folder: string, dataDir: string): void {
  cpSync(folder, dataDir, { recursive: true });
  chmodSync(join(dataDir, 'postgres/cluster'), 0o700);
  // It names the database's socket; where there are none it is the password, and stays.
  if (process.platform !== 'win32') rmSync(join(dataDir, 'postgres/secret'));
}

/** Starts sandbox and server in a fresh folder, or a copy of a prepared one; the member app must have been built. */
export async function startTestEnv(
  env: Record<string, string> | ((sandboxUrl: string) => Record<string, string>) = {},
  prepared?: Prepared,
): Promise<TestEnv> {
  const dataDir = mkdtempSync(join(tmpdir(), 'krapao-e2e-'));
  if (prepared) copyPrepared(prepared.folder, dataDir);
  const [port, consolePort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = run('apps/sandbox/src/main.ts', {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_MEMORY: '1',
    SANDBOX_SEED: '11',
    PRODUCT_URL: url,
    DATA_DIR: dataDir,
  });
  const serverEnv = {
    NODE_ENV: 'test',
    PORT: String(port),
    CONSOLE_PORT: String(consolePort),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    BANK_A_URL: `${sandboxUrl}/outside/bank-a`,
    BANK_B_URL: `${sandboxUrl}/outside/bank-b`,
    SLIP_URL: `${sandboxUrl}/outside/slip/slipok`,
    SMS_URL: `${sandboxUrl}/outside/sms`,
    PUSH_URL: `${sandboxUrl}/outside/push`,
    WW_URL: `${sandboxUrl}/outside/gateways/ww`,
    ZAPMAN_URL: `${sandboxUrl}/outside/gateways/zapman`,
    GIFT_URL: `${sandboxUrl}/outside/gift`,
    GAME_F_URL: `${sandboxUrl}/outside/game-f`,
    GAME_J_URL: `${sandboxUrl}/outside/game-j`,
    ...(typeof env === 'function' ? env(sandboxUrl) : env),
  };
  let server = run(SERVER, serverEnv);
  try {
    await Promise.all([ready(`${sandboxUrl}/healthz`, sandbox), ready(`${url}/readyz`, server)]);
  } catch (error) {
    await Promise.all([end(server), end(sandbox)]);
    throw error;
  }
  const startAgain = async () => {
    server = run(SERVER, serverEnv);
    await ready(`${url}/readyz`, server);
  };
  const endBoth = async () => {
    await end(server);
    await end(sandbox);
  };
  return {
    url,
    consoleUrl: `http://127.0.0.1:${consolePort}`,
    sandboxUrl,
    dataDir,
    staff: prepared?.staff,
    async cutPower(meanwhile) {
      await end(server, 'SIGKILL');
      await meanwhile();
      await startAgain();
    },
    async restart() {
      await end(server);
      await startAgain();
    },
    async demote(meanwhile) {
      const superuser = await openSuperuser(dataDir);
      try {
        await superuser.query(`alter system set ${READ_ONLY} = on`);
        await superuser.query('select pg_reload_conf()');
        await superuser.query(END_CONNECTIONS);
        await meanwhile();
      } finally {
        await superuser.query(`alter system reset ${READ_ONLY}`);
        await superuser.query('select pg_reload_conf()');
        await superuser.end();
      }
    },
    end: endBoth,
    async stop() {
      await endBoth();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
