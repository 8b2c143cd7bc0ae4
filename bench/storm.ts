/**
 * A storm: members make every money call at random, partners fail in every way they can, server and database are
 * killed again and again. Then the sky clears, what is open is settled, and the books are compared: ours with
 * themselves, and ours with the sandbox's.
 * Usage: npm run bench -- storm [seconds]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFor } from '@krapao/server/database';
import pg from 'pg';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { pause, stopServer, until } from './src/server.ts';
import { act, call, control, type Storm, type StormMember } from './src/storm-acts.ts';

const seconds = Number(process.argv[2] ?? 300);
const MEMBERS = 12;
const IN_FLIGHT = 10;
const SETTLE_MS = 240_000;
const ROOT = join(import.meta.dirname, '..');

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-storm-'));
const [port, consolePort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
const storm: Storm = {
  url: `http://127.0.0.1:${port}`,
  sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
  tally: new Map(),
};
const outside = `${storm.sandboxUrl}/outside`;
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  PORT: String(port),
  CONSOLE_PORT: String(consolePort),
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
const isReady = (url: string) =>
  fetch(url).then(
    (reply) => reply.ok,
    () => false,
  );

async function start(program: string, more: Record<string, string>, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(ROOT, program)], {
    env: { ...env, ...more },
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
  await until(() => isReady(url), program);
  return child;
}
const startServer = () => start('apps/server/src/main.ts', {}, `${storm.url}/readyz`);

const SETTINGS = {
  'register.otp': false,
  'withdraw.minimum': { BAHT: 50, LAK: 35_000 },
  'withdraw.oneOpen': false,
  'withdraw.automaticMax': { BAHT: 100_000, LAK: 1 },
  'withdraw.automaticDayMax': { BAHT: 10_000_000, LAK: 1 },
  'slip.closedHours': [],
  'gift.hourMax': 10_000,
  'slip.hourMax': 100_000,
  'refresh.seconds': 0,
  'unknown.absentGraceSeconds': 5,
  'bank.timeoutSeconds': 2,
  'game.timeoutSeconds': 2,
};

async function asOwner<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client(database.owner);
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function register(at: number): Promise<StormMember> {
  const phone = `08${String(10_000_000 + at)}`;
  // Banks print some digits and the beginning of a name; members differ in both.
  const accountNo = `61${String(12_345_678 + at * 1_010_101)}`;
  const name = `${'กขคงจชซดตถทน'[at]}มล พายุ`;
  const account = { bankCode: 'KBANK', accountNo, accountName: name, balance: 5_000_000 };
  await control(storm, 'persons', { name, phone, ...account });
  await call(storm, null, 'POST /api/account', {
    name,
    username: phone,
    password: 'storm-password',
    sourceCode: 'other',
    bankCode: 'KBANK',
    bankAccountName: name,
    bankAccountNo: accountNo,
  });
  const login = await call(storm, null, 'POST /api/login', { username: phone, password: 'storm-password' });
  return { phone, accountNo, token: login.token };
}

const FAULTS = [
  ...['bank-a', 'game-f', 'game-j', 'ww', 'zapman', 'gift', 'slip', 'bank-b'].flatMap((party) =>
    ['cut-before', 'cut-after', '500', 'malformed', '429'].map((kind) => ({ party, kind, chance: 0.03 })),
  ),
  ...['bank-a', 'ww', 'zapman'].flatMap((party) =>
    ['duplicate', 'wrong-signature', 'reordered'].map((kind) => ({
      party,
      call: party === 'bank-a' ? 'confirmation' : 'callback',
      kind,
      chance: 0.1,
    })),
  ),
  { party: 'bank-a', call: 'settle-payout', kind: 'refuse', chance: 0.1 },
];

let server = await startServer();
const database = await databaseFor({ dataDir });
const sandbox = await start(
  'apps/sandbox/src/main.ts',
  { SANDBOX_PORT: String(sandboxPort), SANDBOX_MEMORY: '1', PRODUCT_URL: storm.url },
  `${storm.sandboxUrl}/healthz`,
);
for (const [key, value] of Object.entries(SETTINGS))
  await asOwner(
    'insert into setting (key, value, updated_at) values ($1, $2::jsonb, now()) on conflict (key) do update set value = excluded.value',
    [key, JSON.stringify(value)],
  );
await pause(1500);
const members = await Promise.all(Array.from({ length: MEMBERS }, (_, at) => register(at)));
await control(storm, 'settings', { confirmationIntervalMs: 1000 });
for (const fault of FAULTS) {
  const armed = await control(storm, 'faults', fault);
  if (!armed.fault) throw new Error(`fault not armed: ${JSON.stringify({ fault, armed })}`);
}

// What was transferred before an account was first watched is not a deposit.
await until(async () => (await asOwner('select 1 from bank_feed')).length >= 3, 'the feeds');

let kills = { server: 0, database: 0 };
let raging = true;
const crowd = Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    while (raging) await act(storm, members[Math.floor(Math.random() * MEMBERS)]!);
  }),
);
const postmaster = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
const started = Date.now();
while (Date.now() - started < seconds * 1000) {
  await pause(4000 + Math.random() * 4000);
  if (Math.random() < 0.6) {
    server.kill('SIGKILL');
    await new Promise((resume) => server.once('exit', resume));
    server = await startServer();
    kills = { ...kills, server: kills.server + 1 };
  } else if (existsSync(postmaster)) {
    process.kill(Number(readFileSync(postmaster, 'utf8').split('\n')[0]), 'SIGKILL');
    kills = { ...kills, database: kills.database + 1 };
    await until(() => isReady(`${storm.url}/readyz`), 'the database');
  }
}
raging = false;
await crowd;
await control(storm, 'faults', { clear: true });
console.log(
  `${seconds} s of storm: ${[...storm.tally.values()].reduce((sum, count) => sum + count, 0)} answers, server killed ${kills.server} times, database ${kills.database} times`,
);
for (const [title, count] of [...storm.tally].sort()) console.log(`  ${String(count).padStart(6)}  ${title}`);

/** What is still on its way anywhere. */
const OPEN = `select (select count(*) from provider_transfer where state in ('RESERVED', 'UNKNOWN'))
  + (select count(*) from withdrawal where status in ('QUEUED', 'PROCESSING', 'REVIEW'))
  + (select count(*) from gift_redemption where state not in ('DONE', 'FAILED')) as open`;

/** Work that waits for a later try is tried now: nothing is gained by waiting out a back-off. */
const NOW = `with due as (update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null)
  select graphile_worker.add_job('deposits.ask', job_key := 'deposits.ask')`;
const minor = (text: string): bigint => BigInt(Math.round(Number(text) * 100));

interface Difference {
  what: string;
  ours: string;
  theirs: string;
}

/** Where our books and the sandbox's say different things. */
async function compare(): Promise<Difference[]> {
  const books = await control(storm, 'books');
  const house = books.accounts.filter((account: { owner: string }) => account.owner === 'house');
  const atBanks = house.reduce(
    (sum: bigint, one: { in: string; out: string }) => sum + minor(one.in) - minor(one.out),
    0n,
  );
  const ourMobile = process.env.GIFT_MOBILE || '0815550199';
  const inGifts = books.vouchers
    .flatMap((voucher: { tickets: { phone: string; amount: string }[] }) => voucher.tickets)
    .filter((ticket: { phone: string }) => ticket.phone === ourMobile)
    .reduce((sum: bigint, ticket: { amount: string }) => sum + minor(ticket.amount), 0n);
  const [sums] = await asOwner<{ banks: string; gifts: string }>(
    `select coalesce(-sum(balance) filter (where kind like 'bank:%'), 0)::text as banks,
       coalesce(-sum(balance) filter (where kind = 'gift'), 0)::text as gifts from ledger_account where member_id is null and asset = 1`,
  );
  const differences = [
    { what: 'money at banks and gateways', ours: sums!.banks, theirs: String(atBanks) },
    { what: 'money in the gift wallet', ours: sums!.gifts, theirs: String(inGifts) },
  ];
  const accounts = await asOwner<{ slot_code: string; username: string; credits: string }>(
    "select slot_code, username, credits::text from game_account where state = 'ACTIVE'",
  );
  for (const { slot_code, username, credits } of accounts) {
    const player = books.players.find(
      (one: { agent: string; username: string }) => one.agent === slot_code && one.username === username,
    );
    differences.push({
      what: `credits of ${username} at ${slot_code}`,
      ours: credits,
      theirs: String(minor(player?.balance ?? '0')),
    });
  }
  return differences.filter(({ ours, theirs }) => ours !== theirs);
}

/** Waits until nothing is open and both sides' books agree, or until time is over. */
async function settle(): Promise<{ open: number; differences: Difference[] }> {
  const end = Date.now() + SETTLE_MS;
  for (;;) {
    await asOwner(NOW);
    for (const member of members) await call(storm, member, 'GET /api/wallet/refresh/slot');
    const [row] = await asOwner<{ open: string }>(OPEN);
    const open = Number(row!.open);
    const differences = await compare();
    if ((open === 0 && differences.length === 0) || Date.now() > end) return { open, differences };
    await pause(3000);
  }
}

const settling = Date.now();
const { open, differences } = await settle();
console.log(`settled in ${((Date.now() - settling) / 1000).toFixed(0)} s; ${open} still open`);
const [facts] = await asOwner<Record<string, string>>(
  `select (select count(*) from ledger_entry)::text as entries, (select count(*) from statement)::text as rows,
     (select count(*) from deposit)::text as deposits, (select count(*) from provider_transfer)::text as transfers,
     (select count(*) from withdrawal)::text as withdrawals,
     (select count(*) from bank_line where state = 'UNMATCHED')::text as unmatched`,
);
console.log(
  Object.entries(facts!)
    .map(([name, count]) => `${count} ${name}`)
    .join(', '),
);
for (const { what, ours, theirs } of differences)
  console.log(`ADRIFT  ${what}: ours ${ours}, theirs ${theirs}`);
const verify = spawnSync(process.execPath, [join(ROOT, 'apps/server/src/admin.ts'), 'ledger', 'verify'], {
  env,
  encoding: 'utf8',
});
console.log(verify.stdout.trim() || verify.stderr.trim());
console.log(differences.length === 0 ? "the sandbox's books agree with ours" : 'the books differ');
await stopServer(server);
await stopServer(sandbox);
await database.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(open === 0 && differences.length === 0 && verify.status === 0 ? 0 : 1);
