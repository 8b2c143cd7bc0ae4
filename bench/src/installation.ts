import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor } from '@krapao/server/database';
import pg from 'pg';
import { freePort } from '../../apps/server/src/testing/ports.ts';
import { stopServer, until } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A whole installation as processes: the server with its database, and the sandbox as its partners. */
export interface Installation {
  url: string;
  consoleUrl: string;
  sandboxUrl: string;
  /** The environment of the server, for the command line and further servers. */
  env: NodeJS.ProcessEnv;
  dataDir: string;
  server(): ChildProcess;
  /** A statement as the owner of the tables. */
  asOwner<T extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<T[]>;
  /** The same connections, for helpers that take a pool. */
  owner: pg.Pool;
  /** One call of the sandbox's control API. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever came back is looked at
  control(path: string, body?: unknown): Promise<any>;
  /** What `ledger verify` of the command line prints, and whether it found nothing. */
  verify(): { good: boolean; text: string };
  /** Resident memory of the server process in MB. */
  memoryMb(): number;
  stop(): Promise<void>;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    (reply) => reply.ok,
    () => false,
  );

function spawnProgram(program: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [join(ROOT, program)], {
    env,
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
}

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

/** Starts an installation on free ports with a database of its own; `settings` are in force before it resolves. */
export async function startInstallation(options: {
  settings: Record<string, unknown>;
  env?: Record<string, string>;
}): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'krapao-bench-'));
  const [port, consolePort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    // As tools/start.ts starts the server.
    MALLOC_ARENA_MAX: '2',
    LOG_LEVEL: 'silent',
    PORT: String(port),
    CONSOLE_PORT: String(consolePort),
    ...partnersAt(sandboxUrl),
    ...options.env,
  };
  const sandbox = spawnProgram('apps/sandbox/src/main.ts', {
    ...env,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_MEMORY: '1',
    PRODUCT_URL: url,
  });
  const server = spawnProgram('apps/server/src/main.ts', env);
  await until(() => isReady(`${sandboxUrl}/healthz`), 'the sandbox');
  await until(() => isReady(`${url}/readyz`), 'the server');
  const database = await databaseFor({ dataDir });
  const owner = new pg.Pool({ ...database.owner, max: 4 });
  owner.on('error', () => undefined);
  const asOwner: Installation['asOwner'] = async (sql, values = []) => (await owner.query(sql, values)).rows;
  for (const [key, value] of Object.entries(options.settings))
    await asOwner(
      `insert into setting (key, value, updated_at) values ($1, $2::jsonb, now())
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [key, JSON.stringify(value)],
    );
  return {
    url,
    consoleUrl: `http://127.0.0.1:${consolePort}`,
    sandboxUrl,
    env,
    dataDir,
    server: () => server,
    asOwner,
    owner,
    async control(path, body) {
      const reply = await fetch(`${sandboxUrl}/control/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return reply.json();
    },
    verify() {
      const program = join(ROOT, 'apps/server/src/admin.ts');
      const run = spawnSync(process.execPath, [program, 'ledger', 'verify'], { env, encoding: 'utf8' });
      return { good: run.status === 0, text: run.stdout.trim() || run.stderr.trim() };
    },
    memoryMb() {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    async stop() {
      await owner.end();
      await stopServer(server);
      await stopServer(sandbox);
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Registers a member over the API with a bank account in the sandbox; answers phone, account and password. */
export async function registerMember(
  { url, control }: Pick<Installation, 'url' | 'control'>,
  at: number,
): Promise<{ phone: string; accountNo: string; password: string }> {
  const phone = `08${String(10_000_000 + at)}`;
  // Banks print some digits and the beginning of a name; members differ in both.
  const accountNo = `61${String(12_345_678 + at * 1_010_101)}`;
  const name = `${'กขคงจชซดตถทนบปผฝพฟมยรลวสหอ'[at % 26]}มล ทดสอบ`;
  const password = 'bench-password';
  const account = { bankCode: 'KBANK', accountNo, accountName: name, balance: 5_000_000 };
  await control('persons', { name, phone, ...account });
  const reply = await fetch(`${url}/api/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'wallet-user' },
    body: JSON.stringify({
      name,
      username: phone,
      password,
      age: 20,
      sourceCode: 'other',
      bankCode: 'KBANK',
      bankAccountName: name,
      bankAccountNo: accountNo,
    }),
  });
  if (!reply.ok) throw new Error(`registering ${phone}: ${reply.status} ${await reply.text()}`);
  return { phone, accountNo, password };
}
