/**
 * The product's money call over HTTP against pgbench in the same rounds: POST /api/wallet/withdraw with bearer token,
 * validation, idempotency key, rules, hold, withdrawal row and statement row, 64 in flight over keep-alive connections.
 * The server is a process of its own, as installed; withdrawals wait for an operator, so no bank is called.
 * Usage: npm run bench -- http [rounds] [seconds]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { verifyLedger } from '@krapao/server/ledger';
import { cpuMs, databaseCpuMs } from './src/cpu.ts';
import { runLoad } from './src/http-load.ts';
import { findPgbench, preparePgbench, runPgbench } from './src/pgbench.ts';
import { createYardstick, judge, median, openBenchDatabase, percentile } from './src/town.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 4);
const MEMBERS = 10_000;
const IN_FLIGHT = 64;

/** Members with money and a session each, written in bulk; the tokens are returned. */
async function fillMembers(town: Awaited<ReturnType<typeof openBenchDatabase>>): Promise<string[]> {
  const tokens = Array.from({ length: MEMBERS }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await town.pool.query(
    `insert into member (id, phone, name, password_hash, currency, source_code, password_changed_at, created_at, wallet_account, hold_account, coin_account)
     overriding system value
     select 200000 + g, '09' || lpad(g::text, 8, '0'), 'Bench', 'x', 'BAHT', 'other', now(), now(),
       ledger_open_account(1::smallint, 'wallet', 200000 + g, null, now()), ledger_open_account(1::smallint, 'hold', 200000 + g, null, now()),
       ledger_open_account(3::smallint, 'coin', 200000 + g, null, now()) from generate_series(1, $1) g`,
    [MEMBERS],
  );
  await town.pool.query(
    `insert into bank_account (member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at)
     select 200000 + g, 'KBANK', '\\x00', decode(lpad(to_hex(g), 8, '0'), 'hex'), 'BENCH', 'ACTIVE', now() from generate_series(1, $1) g`,
    [MEMBERS],
  );
  await town.pool.query(
    "insert into session (token_hash, member_id, created_at, expires_at) select u.hash, 200000 + u.o, now(), now() + interval '1 day' from unnest($1::bytea[]) with ordinality u(hash, o)",
    [hashes],
  );
  const { createHouseAccounts, createLedger } = await import('@krapao/server/ledger');
  const ledger = createLedger({ pool: town.pool, now: () => new Date(), queueMax: 20_000 });
  const manual = await createHouseAccounts(town.pool, () => new Date())('manual', 'BAHT');
  const wallets = await town.pool.query<{ id: bigint; wallet: bigint }>(
    'select id, wallet_account as wallet from member where id > 200000',
  );
  await Promise.all(
    wallets.rows.map((row) =>
      ledger.post({
        reference: `fund:${row.id}`,
        kind: 'manual_credit',
        legs: [{ from: manual, to: row.wallet, amountMinor: 100_000_000n }],
      }),
    ),
  );
  await ledger.close();
  const settings = {
    'withdraw.minimum': { BAHT: 1, LAK: 700 },
    'withdraw.automaticMax': { BAHT: 0, LAK: 0 },
    'withdraw.oneOpen': false,
  };
  for (const [key, value] of Object.entries(settings)) {
    await town.pool.query('insert into setting (key, value, updated_at) values ($1, $2::jsonb, now())', [
      key,
      JSON.stringify(value),
    ]);
  }
  return tokens;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resume) => probe.once('listening', resume));
  const { port } = probe.address() as { port: number };
  await new Promise((resume) => probe.close(resume));
  return port;
}

async function startServer(dataDir: string, port: number): Promise<ChildProcess> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    if (
      await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return server;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error('the server did not become ready');
}

const program = findPgbench();
const town = await openBenchDatabase();
const yardstick = await createYardstick(town.database.owner);
await preparePgbench(program, town.database.owner, yardstick);
const tokens = await fillMembers(town);
const port = await freePort();
const server = await startServer(town.dataDir, port);
const ratios: number[] = [];
const p99s: number[] = [];
await runLoad({ port, tokens, inFlight: IN_FLIGHT, seconds: 2 });
for (let round = 1; round <= rounds; round++) {
  const yard = await runPgbench(program, town.database.owner, yardstick, seconds);
  const before = { server: cpuMs(server.pid!), database: databaseCpuMs(town.dataDir) };
  const result = await runLoad({ port, tokens, inFlight: IN_FLIGHT, seconds });
  const perCall = (usedMs: number) => ((usedMs * 1000) / result.times.length).toFixed(0);
  const serverUs = perCall(cpuMs(server.pid!) - before.server);
  const databaseUs = perCall(databaseCpuMs(town.dataDir) - before.database);
  ratios.push(result.rate / yard.tps);
  p99s.push(percentile(result.times, 0.99));
  console.log(
    `round ${round}: pgbench ${yard.tps.toFixed(0)}/s (${yard.clients} clients), money call ${result.rate.toFixed(0)}/s, ` +
      `median ${percentile(result.times, 0.5).toFixed(1)} ms, p99 ${percentile(result.times, 0.99).toFixed(1)} ms, CPU a call: server ${serverUs} µs, database ${databaseUs} µs`,
  );
}
const good = judge([
  { name: 'HTTP money call ÷ pgbench', reached: median(ratios), bar: 1, aim: 2 },
  {
    name: `p99 in ms at ${IN_FLIGHT} in flight`,
    reached: median(p99s),
    bar: 50,
    aim: 20,
    lowerIsBetter: true,
  },
]);
const findings = await verifyLedger(town.pool);
console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
server.kill('SIGTERM');
await new Promise((resume) => server.once('exit', resume));
await town.close();
process.exit(good && findings.length === 0 ? 0 : 1);
