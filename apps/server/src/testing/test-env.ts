import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@krapao/contract/durations';
import type { Pool } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { type App, createApp } from '../app.ts';
import { seedDemo } from '../demo.ts';
import { storeMember } from '../features/registration/register.ts';
import type { AttachedWrite } from '../ledger/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { testDatabase } from '../platform/database/testing.ts';
import { newToken } from '../platform/ids.ts';
import { WITHOUT_JOBS } from '../platform/process-roles.ts';
import { refuseAny } from '../platform/refuse-any.ts';
import { hashToken } from '../platform/secrets.ts';
import { changeSetting, type SettingKey } from '../platform/settings.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

export { until };

/** What a call answered. */
export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  body: any;
  headers: Headers;
}

export interface CallOptions {
  token?: string;
  key?: string;
  headers?: Record<string, string>;
}

export interface TestMember {
  id: bigint;
  phone: string;
  token: string;
  accountNo: string;
}

/** A server on a database of its own, the sandbox as a process of its own, and hands to use both. */
export interface TestEnv {
  app: App;
  /** The application role's pool, and the owner's for looking behind the curtain. */
  pool: Pool;
  owner: Pool;
  url: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>;
  /** A registered member with a session and, on request, money. */
  member(options?: { amountMinor?: bigint }): Promise<TestMember>;
  balance(member: TestMember): Promise<bigint>;
  set(key: SettingKey, value: unknown): Promise<void>;
  /** Gives partners 60 s to respond until the test ends: to many calls at once, a busy machine does not in a second. */
  allowSlowPartners(): Promise<void>;
  /** One call of the sandbox's control API; throws when it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  control(path: string, body?: unknown): Promise<any>;
  fault(fault: {
    party: string;
    call?: string;
    kind: string;
    count?: number;
    [field: string]: unknown;
  }): Promise<void>;
  /** The sandbox stops as if its machine had gone. */
  stopSandbox(): Promise<void>;
}

interface Sandbox {
  process: ChildProcess;
  url: string;
  /** Where it looks for the product. */
  productPort: number;
}

/** Ends a program when its parent ends, in whichever way. */
const WITH_PARENT = 'data:text/javascript,process.stdin.on("end",()=>process.exit()).resume()';

async function startSandbox(): Promise<Sandbox> {
  const [port, productPort] = [await freePort(), await freePort()];
  const program = join(import.meta.dirname, '../../../sandbox/src/main.ts');
  const child = spawn(process.execPath, ['--import', WITH_PARENT, program], {
    env: {
      ...process.env,
      SANDBOX_PORT: String(port),
      SANDBOX_MEMORY: '1',
      SANDBOX_SEED: String(SEED),
      PRODUCT_URL: `http://127.0.0.1:${productPort}`,
    },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );
  return { process: child, url, productPort };
}

const SEED = 7;
const idle: Sandbox[] = [];

/** A sandbox as if it had just been started: files that follow each other in one process hand it on. */
async function takeSandbox(): Promise<Sandbox> {
  const sandbox = idle.pop();
  if (!sandbox) return startSandbox();
  const reply = await fetch(`${sandbox.url}/control/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seed: SEED }),
  });
  if (!reply.ok) throw new Error(`the sandbox could not start anew: ${reply.status} ${await reply.text()}`);
  return sandbox;
}

const isRunning = ({ process: { exitCode, signalCode } }: Sandbox): boolean =>
  exitCode === null && signalCode === null;

async function stopSandbox(sandbox: Sandbox): Promise<void> {
  if (!isRunning(sandbox)) return;
  sandbox.process.kill('SIGKILL');
  await new Promise((resume) => sandbox.process.once('exit', resume));
}

let serial = 0;

/** The attached write of a manual credit, for tests that need a member with money. */
export const manualEntryRow = (memberId: bigint, id: string, amountMinor: bigint): AttachedWrite => ({
  name: 'manual_entry',
  row: {
    statement: {
      memberId,
      id,
      type: 'deposit',
      status: 'SUCCESS',
      source: 'manual',
      target: 'wallet',
      amount: amountMinor,
    },
    actor: 'test',
    action: 'manual.credit',
    subject: `member:${memberId}`,
    reason: 'test',
  },
});

/** Money out of nowhere, as an operator's entry, so that the books still add up. */
async function fund(app: App, pool: Pool, memberId: bigint, amountMinor: bigint): Promise<void> {
  const { rows } = await pool.query('select wallet_account from member where id = $1', [memberId]);
  const manual = await app.deps.systemAccount('manual', 'BAHT');
  await app.deps.ledger.post({
    reference: `manual:test:${memberId}`,
    kind: 'manual_credit',
    memberId,
    legs: [{ from: manual, to: rows[0].wallet_account, amountMinor }],
    attached: manualEntryRow(memberId, `MNTEST${process.pid}X${memberId}`, amountMinor),
  });
}

async function newMember(
  { app, control, pool, owner }: Pick<TestEnv, 'app' | 'control' | 'pool' | 'owner'>,
  amountMinor: bigint,
): Promise<TestMember> {
  const number = String(++serial);
  const worker = String(process.pid % 1000).padStart(3, '0');
  const phone = `06${worker}${number.padStart(5, '0')}`;
  // The digits that banks show of it, the four before the last, differ from member to member.
  const accountNo = `7${worker}${number.padStart(5, '0')}9`;
  const person = { name: 'ทดสอบ ระบบ', phone };
  const id = await storeMember(refuseAny, app.deps, {
    ...person,
    currency: 'BAHT',
    sourceCode: 'other',
    inviteCode: undefined,
    passwordHash: 'none',
    bank: { bankCode: 'KBANK', bankAccountNo: accountNo, bankAccountName: person.name },
  });
  const account = { bankCode: 'KBANK', accountNo, accountName: person.name, balance: 1_000_000 };
  await control('persons', { ...person, ...account });
  const token = newToken();
  const now = app.deps.clock.now();
  await owner.query(
    'insert into session (token_hash, member_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [hashToken(token), id, now, new Date(now.getTime() + DAY_MS)],
  );
  if (amountMinor > 0n) await fund(app, pool, id, amountMinor);
  return { id, phone, token, accountNo };
}

/** So short that tests of time-outs do not last. */
const PARTNER_TIMEOUT_SECONDS = 1;

async function setPartnerTimeouts(set: TestEnv['set'], seconds: number): Promise<void> {
  await set('game.timeoutSeconds', seconds);
  await set('bank.timeoutSeconds', seconds);
}

function helpers(
  app: App,
  pools: { pool: Pool; owner: Pool },
  url: string,
  sandboxUrl: string,
): Omit<TestEnv, 'stopSandbox'> {
  const set: TestEnv['set'] = async (key, value) => {
    await changeSetting(pools.owner, key, value, new Date());
    await until(async () => isDeepStrictEqual(app.deps.settings.get(key), value));
  };
  const call: TestEnv['call'] = async (method, path, body, options = {}) => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        'x-requested-with': 'wallet-user',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text), headers: reply.headers };
  };
  const control: TestEnv['control'] = async (path, body) => {
    const reply = await fetch(`${sandboxUrl}/control/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`control ${path}: ${reply.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    app,
    ...pools,
    url,
    call,
    control,
    member: (options = {}) => newMember({ app, control, ...pools }, options.amountMinor ?? 0n),
    async balance(member) {
      const { rows } = await pools.pool.query(
        'select a.balance from ledger_account a join member m on m.wallet_account = a.id where m.id = $1',
        [member.id],
      );
      return rows[0].balance;
    },
    set,
    async allowSlowPartners() {
      await setPartnerTimeouts(set, 60);
      onTestFinished(() => setPartnerTimeouts(set, PARTNER_TIMEOUT_SECONDS));
    },
    async fault(fault) {
      await control('faults', fault);
    },
  };
}

function configFor(
  { url: sandboxUrl, productPort }: Sandbox,
  environment: Record<string, string> = {},
): Config {
  return readConfig({
    NODE_ENV: 'test',
    SECRET: 'a secret that only tests know, 32 characters',
    LOG_LEVEL: 'silent',
    PORT: String(productPort),
    BANK_A_URL: `${sandboxUrl}/outside/bank-a`,
    BANK_B_URL: `${sandboxUrl}/outside/bank-b`,
    GIFT_URL: `${sandboxUrl}/outside/gift`,
    SLIP_URL: `${sandboxUrl}/outside/slip/slipok`,
    SMS_URL: `${sandboxUrl}/outside/sms`,
    PUSH_URL: `${sandboxUrl}/outside/push`,
    WW_URL: `${sandboxUrl}/outside/gateways/ww`,
    ZAPMAN_URL: `${sandboxUrl}/outside/gateways/zapman`,
    GAME_F_URL: `${sandboxUrl}/outside/game-f`,
    GAME_J_URL: `${sandboxUrl}/outside/game-j`,
    ...environment,
  });
}

/** A server's configuration beside a sandbox and an empty database, all for one test file. */
export async function emptyInstallation(): Promise<{ config: Config; pool: Pool; sandboxUrl: string }> {
  const [sandbox, database] = await Promise.all([takeSandbox(), testDatabase()]);
  afterAll(() => stopSandbox(sandbox));
  const dataDir = await mkdtemp(join(tmpdir(), 'krapao-'));
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  return { config: configFor(sandbox, { DATA_DIR: dataDir }), pool: database.app, sandboxUrl: sandbox.url };
}

/**
 * Starts a test environment for one test file and takes it down with it; call it at the file's top level, where its end can be
 * hooked. `jobs: false` leaves jobs to `app.runJob`; `environment` adds to the server's environment, for example
 * VARIANT; short time-outs are set, so that silence is noticed soon, and slips are taken at all hours.
 */
export async function startTestEnv(
  options: { jobs?: boolean; clock?: Clock; environment?: Record<string, string> } = {},
): Promise<TestEnv> {
  const [sandbox, database] = await Promise.all([takeSandbox(), testDatabase()]);
  const { url: sandboxUrl, productPort: port } = sandbox;
  const url = `http://127.0.0.1:${port}`;
  const config = configFor(sandbox, options.environment);
  const app = await createApp({
    config,
    clock: options.clock ?? systemClock,
    pool: database.app,
    backgroundPool: database.app,
    ...(options.jobs === false && { roles: WITHOUT_JOBS }),
  });
  afterAll(async () => {
    await app.close();
    if (isRunning(sandbox)) idle.push(sandbox);
  });
  await seedDemo(app.deps);
  await app.http.listen({ port, host: '127.0.0.1' });
  const testEnv = helpers(app, { pool: database.app, owner: database.owner }, url, sandboxUrl);
  await setPartnerTimeouts(testEnv.set, PARTNER_TIMEOUT_SECONDS);
  await testEnv.set('unknown.absentGraceSeconds', 2);
  await testEnv.set('desk.undoSeconds', 0);
  await testEnv.set('slip.closedHours', []);
  return { ...testEnv, stopSandbox: () => stopSandbox(sandbox) };
}
