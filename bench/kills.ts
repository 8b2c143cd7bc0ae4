/**
 * Kills the server, then its database, so many times each while members ask for withdrawals over HTTP, and counts
 * what was acknowledged and is not there afterwards, or is there twice. A wish is sent again under its key until it
 * is answered with yes, as the member's app does.
 * Usage: npm run bench -- kills [times]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createHouseAccounts, createLedger, verifyLedger } from '@krapao/server/ledger';
import { openBenchDatabase } from './src/town.ts';

const times = Number(process.argv[2] ?? 100);
const MEMBERS = 20;
const IN_FLIGHT = 24;
const ANSWERS_BETWEEN_KILLS = 30;
const FUNDS_MINOR = 1_000_000_000_000n;

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited a minute in vain for ${what}`);
    await pause(10);
  }
}

/** Members with money and a session each; their tokens are returned. */
async function fillMembers(pool: Awaited<ReturnType<typeof openBenchDatabase>>['pool']): Promise<string[]> {
  const tokens = Array.from({ length: MEMBERS }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await pool.query(
    `insert into member (id, phone, name, password_hash, currency, source_code, password_changed_at, created_at, wallet_account, hold_account, coin_account)
     overriding system value
     select 200000 + g, '09' || lpad(g::text, 8, '0'), 'Bench', 'x', 'BAHT', 'other', now(), now(),
       ledger_open_account(1::smallint, 'wallet', 200000 + g, null, now()), ledger_open_account(1::smallint, 'hold', 200000 + g, null, now()),
       ledger_open_account(3::smallint, 'coin', 200000 + g, null, now()) from generate_series(1, $1) g`,
    [MEMBERS],
  );
  await pool.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
     select 200000 + g, 'KBANK', '\\x00', decode(lpad(to_hex(g), 8, '0'), 'hex'), 'BENCH', 'ACTIVE', now() from generate_series(1, $1) g`,
    [MEMBERS],
  );
  await pool.query(
    "insert into session (token_hash, member_id, created_at, expires_at) select u.hash, 200000 + u.o, now(), now() + interval '1 day' from unnest($1::bytea[]) with ordinality u(hash, o)",
    [hashes],
  );
  await pool.query(
    `insert into setting (key, value, updated_at) values ('withdraw.automaticMax', '{"BAHT":0,"LAK":0}', now()), ('withdraw.oneOpen', 'false', now()),
       ('member.callsPerMinute', '1000000', now())`,
  );
  const ledger = createLedger({ pool, now: () => new Date() });
  const manual = await createHouseAccounts(pool, () => new Date())('manual', 'BAHT');
  const wallets = await pool.query<{ id: bigint; wallet: bigint }>(
    'select id, wallet_account as wallet from member where id > 200000',
  );
  for (const { id, wallet } of wallets.rows)
    await ledger.post({
      reference: `fund:${id}`,
      kind: 'manual_credit',
      legs: [{ from: manual, to: wallet, amountMinor: FUNDS_MINOR }],
    });
  await ledger.close();
  return tokens;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resume) => probe.once('listening', resume));
  const { port } = probe.address() as { port: number };
  await new Promise((resume) => probe.close(resume));
  return port;
}

const town = await openBenchDatabase();
const tokens = await fillMembers(town.pool);
const url = `http://127.0.0.1:${await freePort()}`;

async function startServer(): Promise<ChildProcess> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts')], {
    env: { ...process.env, DATA_DIR: town.dataDir, PORT: new URL(url).port, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
  await until(
    () =>
      fetch(`${url}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      ),
    'the server',
  );
  return server;
}

let server = await startServer();
let running = true;
let serial = 0;
const acknowledged: string[] = [];

/** One withdrawal, asked for until it is acknowledged. */
async function wish(token: string): Promise<void> {
  const key = `kills-${++serial}-${process.pid}`;
  for (;;) {
    const reply = await fetch(`${url}/api/wallet/withdraw`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'wallet-user',
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
      },
      body: '{"amount":100}',
      signal: AbortSignal.timeout(15_000),
    }).catch(() => null);
    const body = await reply?.json().catch(() => null);
    if (reply?.status === 200 && body) {
      acknowledged.push((body as { id: string }).id);
      return;
    }
    if (reply && reply.status < 500) throw new Error(`refused: ${reply.status} ${JSON.stringify(body)}`);
    await pause(20);
  }
}

const crowd = Promise.all(
  Array.from({ length: IN_FLIGHT }, async (_, at) => {
    while (running) await wish(tokens[at % MEMBERS]!);
  }),
);

async function killServer(): Promise<void> {
  server.kill('SIGKILL');
  await new Promise((resume) => server.once('exit', resume));
  server = await startServer();
}

/** Whether a process was there to be killed: after the last kill the next one may still be on its way. */
function hasKilled(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

async function killDatabase(): Promise<void> {
  const file = join(town.dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const pid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0);
  await until(() => hasKilled(pid()), 'a database to kill');
}

for (const [what, kill] of [
  ['server', killServer],
  ['database', killDatabase],
] as const) {
  const started = performance.now();
  for (let time = 1; time <= times; time++) {
    const before = acknowledged.length;
    await until(
      () => acknowledged.length >= before + ANSWERS_BETWEEN_KILLS,
      `answers before kill ${time} of the ${what}`,
    );
    await kill();
  }
  console.log(
    `${what} killed ${times} times in ${((performance.now() - started) / 1000).toFixed(0)} s; ${acknowledged.length} withdrawals acknowledged so far`,
  );
}
running = false;
await crowd;

const kept = await town.pool.query<{ id: string }>(
  "select w.id from withdrawal w join ledger_hold h on h.key = 'withdrawal:' || w.id and h.amount = w.amount",
);
const there = new Set(kept.rows.map((row) => row.id));
const wanted = new Set(acknowledged);
const lost = [...wanted].filter((id) => !there.has(id));
const surplus = [...there].filter((id) => !wanted.has(id));
const findings = await verifyLedger(town.pool);
console.log(`${acknowledged.length} acknowledged, ${lost.length} lost, ${surplus.length} done twice`);
console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
server.kill('SIGTERM');
await new Promise((resume) => server.once('exit', resume));
await town.close();
process.exit(lost.length + surplus.length + findings.length === 0 ? 0 : 1);
