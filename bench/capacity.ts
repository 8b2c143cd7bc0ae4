/**
 * The sustained load of one installation on one machine: members who log in, pay in, play, withdraw, write to support
 * and hand in slips over and over, each with a live connection, beside operators at work and further open connections.
 * First finds how many members at once keep the 95th percentile of their calls under the bar, then goes on with that
 * many for the given time and prints each minute: calls, percentiles, processor time of each program, memory, WAL and
 * the size of the database. Holds when no call was refused, every withdrawal was paid, every message was shown and the
 * books balance.
 * Usage: npm run bench -- capacity [minutes (60)] [members; found by steps when absent]
 */
import { numberArgument } from './src/arguments.ts';
import { median, percentile } from './src/bench-env.ts';
import { cpuMs, databaseCpuMs } from './src/cpu.ts';
import { Figures } from './src/figures.ts';
import { startInstallation, watchServers } from './src/installation.ts';
import { arrivalsAtSocket, openSocket, type Worker, watch, workAsMember } from './src/member-work.ts';
import { registerMember } from './src/register-member.ts';
import { pause } from './src/server.ts';
import { createOperators, workAsOperator } from './src/siege/operators.ts';

const minutes = numberArgument(0, 60);
/** Members at once; 0: found by steps. */
const fixed = process.argv[3] === undefined ? 0 : numberArgument(1, 1);
/** One address registers 60 members at most. */
const STEPS = [8, 16, 24, 32, 40, 50, 60] as const;
const STEP_SECONDS = 30;
/** The bar of a step: the 95th percentile of what a member waits for, in ms. */
const P95_MS = 500;
/** Connections of visitors that only stay open, beside those of the members at work. */
const OPEN_SOCKETS = 500;
const OPERATORS = 16;
const SECRET = 'a secret that only the bench knows, 32 characters';
/** Times of work that goes on without the member, not of a call they wait for. */
const BACKGROUND = ['payment to credit', 'withdrawal to payout', 'message to screen', 'readyz'];

const place = await startInstallation({
  settings: {
    'register.otp': false,
    'withdraw.oneOpen': false,
    'withdraw.playedTimes': 0,
    'withdraw.automaticDayMax': { BAHT: 100_000_000, LAK: 1 },
    // Every member here comes from one address with one browser, which the score would count against them.
    'risk.reviewScore': 101,
    'risk.holdScore': 101,
    'slip.closedHours': [],
    'slip.hourMax': 1_000_000,
    'qr.hourMax': 1_000_000,
    'refresh.seconds': 0,
  },
  env: { SECRET },
});
await place.control('settings', { payoutDelayMs: 200, confirmationIntervalMs: 1000 });
const workers: Worker[] = [];
for (let at = 0; at < (fixed || STEPS.at(-1)!); at++) workers.push(await registerMember(place, at));
const operators = await createOperators(place, SECRET, OPERATORS);
const sockets = Array.from({ length: OPEN_SOCKETS }, (_, at) => openSocket(place.url, at));
const pid = place.servers()[0]!.pid!;
const isSame = watchServers(place);

type Totals = Awaited<ReturnType<typeof totals>>;

/** What each program has used so far, ms of processor time, and what the database has written, bytes. */
async function totals() {
  const [row] = await place.asOwner<{ wal: string; size: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as wal, pg_database_size(current_database())::text as size",
  );
  return {
    at: performance.now(),
    server: cpuMs(pid),
    database: databaseCpuMs(place.dataDir),
    sandbox: cpuMs(place.sandboxPid),
    load: cpuMs(process.pid),
    wal: Number(row!.wal),
    size: Number(row!.size),
  };
}

/** The times of every call that a member waits for. */
const waited = (figures: Figures): number[] =>
  figures
    .names()
    .filter((name) => !BACKGROUND.includes(name) && !name.startsWith('operator'))
    .flatMap((name) => figures.all(name));

/** Starts members and operators at work. */
function start(count: number) {
  const figures = new Figures();
  let isOn = true;
  const phase = { place, figures, isOn: () => isOn };
  const listen = (session: { token: string; memberId: string }) => arrivalsAtSocket(place.url, session);
  const work = [
    ...workers.slice(0, count).map(async (worker, at) => {
      // They do not all begin in the same moment.
      await pause((at * 2_000) / count);
      await workAsMember({ ...phase, listen }, worker);
    }),
    workAsOperator(phase, operators),
    watch(phase),
  ];
  return {
    figures,
    async stop() {
      isOn = false;
      await Promise.all(work);
    },
  };
}

/** Prints what a time of the load was; returns the 95th percentile of the calls, ms. */
function report(name: string, figures: Figures, before: Totals, after: Totals): number {
  const seconds = (after.at - before.at) / 1000;
  const times = waited(figures);
  const share = (program: 'server' | 'database' | 'sandbox' | 'load') =>
    ((after[program] - before[program]) / (seconds * 10)).toFixed(0);
  const p95 = percentile(times, 0.95);
  console.log(
    `${name}: ${(times.length / seconds).toFixed(1)} calls/s, p50 ${median(times).toFixed(0)}, p95 ${p95.toFixed(0)}, ` +
      `p99 ${percentile(times, 0.99).toFixed(0)} ms; payout ${figures.p50('withdrawal to payout').toFixed(0)} ms, ` +
      `message ${figures.p50('message to screen').toFixed(0)} ms; processor in % of one: server ${share('server')}, ` +
      `database ${share('database')}, sandbox ${share('sandbox')}, load ${share('load')}; ` +
      `${figures.memoryMb.toFixed(0)} MB, WAL ${((after.wal - before.wal) / 1e6).toFixed(0)} MB, ` +
      `database ${(after.size / 1e6).toFixed(0)} MB; ${figures.overloaded} 503, ${figures.wrong.length} wrong`,
  );
  for (const wrong of [...new Set(figures.wrong)].slice(0, 5)) console.log(`  WRONG ${wrong}`);
  return p95;
}

/** Returns the highest step whose calls stay under the bar. */
async function findMembers(): Promise<number> {
  let found: number = STEPS[0];
  for (const step of STEPS) {
    const load = start(step);
    await pause(5_000);
    load.figures.take();
    const before = await totals();
    await pause(STEP_SECONDS * 1000);
    const p95 = report(`${step} members`, load.figures.take(), before, await totals());
    await load.stop();
    if (p95 > P95_MS) break;
    found = step;
  }
  return found;
}

const count = fixed || (await findMembers());
console.log(`${minutes} min with ${count} members at once and ${OPEN_SOCKETS} further open connections`);
const load = start(count);
const all: Figures[] = [];
const first = await totals();
let last = first;
for (let minute = 1; minute <= minutes; minute++) {
  await pause(60_000);
  const now = await totals();
  const figures = load.figures.take();
  all.push(figures);
  report(`minute ${minute}`, figures, last, now);
  last = now;
}
await load.stop();
const whole = Figures.together([...all, load.figures]);
report('whole', whole, first, last);
for (const name of whole.names())
  console.log(
    `  ${name.padEnd(22)} ${String(whole.count(name)).padStart(7)} times, p50 ${whole.p50(name).toFixed(0)}, p99 ${whole.p99(name).toFixed(0)} ms`,
  );
const open = sockets.filter((socket) => socket.connected).length;
for (const socket of sockets) socket.disconnect();
const stored = await place.asOwner('select 1 from withdrawal where id = any($1)', [whole.acknowledged]);
const verdict = place.verify();
console.log(verdict.text);
const bars: [string, boolean][] = [
  [`calls refused or without an end ${whole.wrong.length} (bar 0)`, whole.wrong.length === 0],
  [
    `acknowledged withdrawals lost ${whole.acknowledged.length - stored.length} (bar 0)`,
    stored.length === whole.acknowledged.length,
  ],
  [`connections still open ${open} (bar ${OPEN_SOCKETS})`, open === OPEN_SOCKETS],
  [
    `95th percentile ${percentile(waited(whole), 0.95).toFixed(0)} ms (bar ${P95_MS})`,
    percentile(waited(whole), 0.95) <= P95_MS,
  ],
  [
    `books ${verdict.good ? 'balance' : 'DO NOT BALANCE'}, server ${isSame() ? 'never restarted' : 'RESTARTED'}`,
    verdict.good && isSame(),
  ],
];
for (const [text, holds] of bars) console.log(`${holds ? 'holds' : 'MISSED'}  ${text}`);
await place.stop();
process.exit(bars.every(([, holds]) => holds) ? 0 : 1);
