/**
 * A drill of point-in-time recovery with the files of deploy/: a PostgreSQL that archives by pgBackRest, a server on it
 * with withdrawals under load, a full backup, a moment T, more load, a payout after T, then a dropped table. Restores to T
 * into a new folder and starts the server on it. Acknowledged before T may not be missing, nothing from after T may be
 * there, the ledger must verify, and payouts must wait until an operator resumes them.
 * Needs Debian's postgresql and pgbackrest. Usage: npm run bench -- restore [seconds of load in each phase]
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { startArchivedDatabase } from './src/archived-database.ts';
import { numberArgument } from './src/arguments.ts';
import { compare, startCrowd } from './src/crowd.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { registerMember } from './src/register-member.ts';
import { pause, stopServer, until } from './src/server.ts';

const seconds = numberArgument(0, 10);
const MEMBERS = 12;
const ADMIN = join(import.meta.dirname, '../apps/server/src/admin.ts');
const SECRET = 'a secret that only the bench knows, 32 characters';
const SETTINGS = {
  'register.otp': false,
  'withdraw.oneOpen': false,
  'withdraw.playedTimes': 0,
  'withdraw.automaticMax': { BAHT: 0, LAK: 0 },
};

const admin = (env: NodeJS.ProcessEnv, ...args: string[]): string =>
  execFileSync(process.execPath, [ADMIN, ...args], { env, encoding: 'utf8' });

let holds = true;
function report(isGood: boolean, text: string): void {
  holds &&= isGood;
  console.log(`${isGood ? 'holds ' : 'MISSED'} ${text}`);
}

/** Runs a step and returns what it took in s. */
async function secondsOf(step: () => unknown): Promise<number> {
  const started = performance.now();
  await step();
  return (performance.now() - started) / 1000;
}

async function post(place: Installation, path: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(`${place.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'wallet-user', ...headers },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json() as Promise<{ token: string; id: string }>;
}

/** Members with money, whom the sandbox's bank knows; returns their tokens. */
async function createMembers(place: Installation): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 0; at < MEMBERS; at++) {
    const { phone, password } = await registerMember(place, at);
    admin(place.env, 'credit', phone, '100000000.00', 'bench');
    tokens.push((await post(place, '/api/login', { username: phone, password })).token);
  }
  return tokens;
}

const withdraw = async (place: Installation, token: string, key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
  return (await post(place, '/api/wallet/withdraw', { amount: 100 }, headers)).id;
};

async function ordersOf(place: Installation, id: string): Promise<number> {
  const books = await place.control('books');
  return books.payouts.filter((payout: { reference: string }) => payout.reference === id).length;
}
const statusOf = async (place: Installation, id: string): Promise<string> =>
  (await place.asOwner<{ status: string }>('select status from withdrawal where id = $1', [id]))[0]!.status;

const folder = mkdtempSync('/var/tmp/krapao-restore-');
chmodSync(folder, 0o755);
const database = await startArchivedDatabase(join(folder, 'database'), await freePort());
const created = admin({ ...process.env, DATABASE_ADMIN_URL: database.adminUrl }, 'database', 'create');
const urls = Object.fromEntries(
  created.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return line.startsWith('DATABASE_') ? [[line.slice(0, at), line.slice(at + 1)]] : [];
  }),
);
let place: Installation | undefined;
try {
  place = await startInstallation({
    settings: SETTINGS,
    dataDir: join(folder, 'files'),
    env: { ...urls, SECRET, DEMO: 'false' },
  });
  const tokens = await createMembers(place);
  const sentAfter = await withdraw(place, tokens[0]!, 'sent-after-t');
  const waiting = await withdraw(place, tokens[0]!, 'waiting-at-t');
  const { url } = place;
  const crowd = startCrowd({ url: () => url, tokens, inFlight: 24, amount: 100 });
  await pause(seconds * 1000);
  const full = await secondsOf(() => database.pgbackrest('--type=full', 'backup'));
  console.log(
    `full backup under load: ${full.toFixed(1)} s, ${crowd.acknowledged.length} withdrawals acknowledged`,
  );
  await pause(seconds * 1000);

  // What is acknowledged here was committed before T.
  const before = [...crowd.acknowledged];
  const [{ time }] = (await place.asOwner<{ time: string }>('select clock_timestamp()::text as time')) as [
    { time: string },
  ];
  await pause(seconds * 1000);
  const after = crowd.acknowledged.length - before.length;
  admin(place.env, 'withdrawal', 'approve', sentAfter, 'sent after T');
  await until(async () => (await ordersOf(place!, sentAfter)) === 1, 'the payout');
  await crowd.stop();
  await place.asOwner('drop table withdrawal cascade');
  console.log(
    `T = ${time}; ${before.length} acknowledged before it, ${after} after it, one payout sent after it`,
  );

  await stopServer(place.servers()[0]!);
  const down = performance.now();
  await database.stop();
  const restoring = await secondsOf(() => database.restoreTo(time));
  const replaying = await secondsOf(() => database.start());
  console.log(admin(place.env, 'database', 'restored').trim());
  const { good, text } = place.verify();
  report(good, `ledger verify: ${good ? text.split('\n')[0] : text.slice(0, 2_000)}`);
  const starting = await secondsOf(() => place!.restart(0));
  console.log(
    `restored after ${((performance.now() - down) / 1000).toFixed(1)} s: ${restoring.toFixed(1)} s copying, ` +
      `${replaying.toFixed(1)} s replaying WAL, ${starting.toFixed(1)} s starting the server`,
  );

  const { lost } = await compare(place.owner, before);
  report(lost.length === 0, `${before.length} acknowledged before T, ${lost.length} missing`);
  const [{ later }] = (await place.asOwner<{ later: number }>(
    'select (select count(*) from withdrawal where created_at > $1)::int + (select count(*) from ledger_entry where created_at > $1)::int as later',
    [time],
  )) as [{ later: number }];
  report(later === 0, `${later} withdrawals and ledger entries from after T`);
  const session = await fetch(`${url}/api/wallet`, { headers: { authorization: `Bearer ${tokens[0]}` } });
  report(session.status === 401, `a session from before T is answered ${session.status}`);
  report(
    (await statusOf(place, sentAfter)) === 'REVIEW' && (await ordersOf(place, sentAfter)) === 1,
    'the payout sent after T is known to the bank alone',
  );

  admin(place.env, 'withdrawal', 'approve', waiting, 'after the restore');
  const isPaused = async () =>
    (await place!.asOwner("select from alert where kind = 'payouts-paused' and closed_at is null")).length ===
    1;
  await until(isPaused, 'the alert payouts-paused', 2);
  report(
    (await statusOf(place, waiting)) === 'QUEUED' && (await ordersOf(place, waiting)) === 0,
    'payouts wait, and the alert payouts-paused is open',
  );
  admin(place.env, 'withdrawal', 'resume', 'compared with the bank');
  await until(async () => (await ordersOf(place!, waiting)) === 1, 'the payout after resuming', 2);
  report(!(await isPaused()), 'payouts are sent after `withdrawal resume`');
  const again = await secondsOf(() => database.pgbackrest('--type=full', 'backup'));
  console.log(`a full backup of the restored database: ${again.toFixed(1)} s`);
  const last = place.verify();
  report(last.good, `ledger verify: ${last.text.split('\n')[0]}`);
} finally {
  await place?.stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(holds ? 'holds' : 'MISSED');
process.exit(holds ? 0 : 1);
