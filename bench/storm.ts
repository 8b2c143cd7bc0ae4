/**
 * A storm: members make every money call at random at two servers whose clocks differ, partners fail in every way they
 * can, servers and database are killed, the database is demoted, its disk is full or frozen. Then all faults end, what is
 * open is settled, and the books are compared: ours with themselves, with the responses to members, and with the sandbox's.
 * With `cluster` the same at the whole cluster of deploy/, whose parts fail as in the bench of that name; one of its workers
 * has the wrong clock.
 * Usage: npm run bench -- storm [seconds] [cluster]
 */

import { numberArgument } from './src/arguments.ts';
import { startCluster } from './src/cluster/cluster.ts';
import { siteOf } from './src/cluster/site.ts';
import { type Site, startInstallation } from './src/installation.ts';
import { registerMember } from './src/register-member.ts';
import { pause, until } from './src/server.ts';
import { createDisk } from './src/storm/disk.ts';
import { FAULTS, LATE_ORDER_MS } from './src/storm/faults.ts';
import { call, callAtRandom, type StormMember } from './src/storm/member-calls.ts';
import { startOperator } from './src/storm/operator.ts';
import { Responses } from './src/storm/responses.ts';
import { settle } from './src/storm/settle.ts';
import { clusterTroublesOf, inTurn, type Troubles, troublesOf } from './src/storm/troubles.ts';

const seconds = numberArgument(0, 300);
const onCluster = process.argv[3] === 'cluster';
const MEMBERS = 12;
const IN_FLIGHT = 10;
/** The second server's clock; at each start it goes wrong the other way. */
const CLOCK_AHEAD_MS = 4_000;
const SECRET = 'a secret that only the bench knows, 32 characters';

const SETTINGS = {
  'register.otp': false,
  'withdraw.minimum': { BAHT: 50, LAK: 35_000 },
  'withdraw.oneOpen': false,
  // Unplayed money otherwise waits for an operator.
  'withdraw.playedTimes': 0,
  'withdraw.automaticMax': { BAHT: 100_000, LAK: 1 },
  'withdraw.automaticDayMax': { BAHT: 10_000_000, LAK: 1 },
  // Every member here comes from one address; what the score holds needs a second operator.
  'risk.holdScore': 101,
  'slip.closedHours': [],
  'gift.hourMax': 10_000,
  'slip.hourMax': 100_000,
  'qr.hourMax': 100_000,
  'game.entryHourMax': 100_000,
  'refresh.seconds': 0,
  'unknown.absentGraceSeconds': 5,
  'unknown.alertMinutes': 1,
  'bank.timeoutSeconds': 2,
  'game.timeoutSeconds': 2,
};

/** Faults during the storm by name, with the longest recovery of the servers. */
type Happened = Map<string, { count: number; longestMs: number }>;

let starts = 0;
const skewedClock = () => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${import.meta.resolve('./src/storm/skewed-clock.ts')}`,
  CLOCK_AHEAD_MS: String(starts++ % 2 === 0 ? CLOCK_AHEAD_MS : -CLOCK_AHEAD_MS),
});

/** Members, the faults at partners, and the feeds read for the first time. */
async function prepare({ place, responses }: Setup): Promise<StormMember[]> {
  await pause(1500);
  const members: StormMember[] = [];
  for (let at = 0; at < MEMBERS; at++) {
    const { phone, accountNo, password } = await registerMember(place, at);
    const login = await call({ place, responses }, null, 'POST /api/login', { username: phone, password });
    members.push({ phone, accountNo, token: login.token });
  }
  await place.control('settings', { confirmationIntervalMs: 1000 });
  for (const fault of FAULTS) {
    const armed = await place.control('faults', fault);
    if (!armed.fault) throw new Error(`fault not armed: ${JSON.stringify({ fault, armed })}`);
  }
  // Transfers before an account was first watched are not deposits.
  await until(async () => (await place.asOwner('select 1 from bank_feed')).length >= 3, 'the feeds');
  return members;
}

/** Members call for as long as troubles follow each other. */
async function rage(
  { place, troubles, responses }: Setup,
  members: readonly StormMember[],
): Promise<Happened> {
  let raging = true;
  const crowd = Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (raging) await callAtRandom({ place, responses }, members[Math.floor(Math.random() * MEMBERS)]!);
    }),
  );
  const happened: Happened = new Map(Object.keys(troubles).map((name) => [name, { count: 0, longestMs: 0 }]));
  const end = Date.now() + seconds * 1000;
  for (const name of inTurn(Object.keys(troubles))) {
    await pause(2000 + Math.random() * 3000);
    if (Date.now() > end) break;
    responses.during = name;
    await troubles[name]!();
    const over = Date.now();
    await place.allReady();
    const { count, longestMs } = happened.get(name)!;
    happened.set(name, { count: count + 1, longestMs: Math.max(longestMs, Date.now() - over) });
    responses.during = 'calm';
  }
  raging = false;
  await crowd;
  return happened;
}

const printCounts = (counts: Iterable<[string, number]>) => {
  for (const [title, count] of counts) console.log(`  ${String(count).padStart(6)}  ${title}`);
};

async function clearFaults({ place }: Setup): Promise<Map<string, number>> {
  const { faults } = await place.control('faults', {});
  await place.control('faults', { clear: true });
  const struck = new Map<string, number>();
  for (const fault of faults as { party: string; call?: string; kind: string; struck: number }[]) {
    const name = `fault ${fault.kind} at ${fault.party}${fault.call ? ` ${fault.call}` : ''}`;
    struck.set(name, (struck.get(name) ?? 0) + fault.struck);
  }
  return struck;
}

const listed = (counts: Record<string, unknown>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** Settles, compares and prints; whether everything holds. */
async function judge({ place, responses }: Setup, members: readonly StormMember[]): Promise<boolean> {
  const settling = Date.now();
  // Orders that the bank has received and not processed yet.
  await pause(Math.max(...LATE_ORDER_MS));
  const operator = await startOperator(place, SECRET);
  const result = await settle({ place, responses, members, operator });
  const { open, differences, contradicted, unsure, resumed } = result;
  const wrong = await responses.contradictions(place);
  console.log(`settled in ${((Date.now() - settling) / 1000).toFixed(0)} s; ${open.length} still open`);
  const [facts] = await place.asOwner<Record<string, string>>(
    `select (select count(*) from ledger_entry)::text as entries, (select count(*) from statement)::text as rows,
     (select count(*) from deposit)::text as deposits, (select count(*) from provider_transfer)::text as transfers,
     (select count(*) from withdrawal)::text as withdrawals,
     (select count(*) from payout where refused_code is not null)::text as "refused repeats",
     (select count(*) from alert where kind = 'transfer-unclear')::text as "ambiguous matches",
     (select count(*) from transfer_evidence where state = 'ASK')::text as "of them undecided although their transfer is booked",
     (select count(*) from bank_transaction where state = 'UNMATCHED')::text as unmatched`,
  );
  console.log(listed(facts!));
  console.log(`an operator decided: ${listed(operator.decided)}`);
  console.log(`decisions refused: ${listed(Object.fromEntries(operator.refused)) || 'none'}`);
  if (resumed > 0) console.log(`payouts paused by a takeover were resumed ${resumed} times`);
  console.log(`${contradicted.length} payouts executed after the release, each with an open alert`);
  console.log(
    `${unsure.length} payouts held because the bank called them duplicates, each with an open alert`,
  );
  for (const what of open) console.log(`OPEN  ${what}`);
  for (const { what, ours, theirs } of differences)
    console.log(`ADRIFT  ${what}: ours ${ours}, theirs ${theirs}`);
  for (const what of wrong) console.log(`WRONG ANSWER  ${what}`);
  for (const [what, count] of responses.unclean) console.log(`UNCLEAN  ${count}  ${what}`);
  const verdict = place.verify();
  console.log(verdict.text);
  console.log(differences.length === 0 ? "the sandbox's books agree with ours" : 'the books differ');
  return open.length + differences.length + wrong.length + responses.unclean.size === 0 && verdict.good;
}

interface Setup {
  place: Site;
  troubles: Troubles;
  responses: Responses;
}

const clockOf = (at: number): Record<string, string> => (at === 1 ? skewedClock() : {});

async function setUpCluster(): Promise<Omit<Setup, 'responses'>> {
  const cluster = await startCluster({ env: { SECRET }, workerEnv: clockOf });
  return { place: await siteOf(cluster, SETTINGS), troubles: clusterTroublesOf(cluster) };
}

async function setUpServers(): Promise<Omit<Setup, 'responses'>> {
  const made = createDisk();
  const disk = 'missing' in made ? null : made;
  if ('missing' in made)
    console.log(`SKIPPED  full disk and frozen disk, for no file system could be mounted: ${made.missing}`);
  const place = await startInstallation({
    settings: SETTINGS,
    servers: 2,
    env: { SECRET },
    envOf: clockOf,
    ...(disk && { dataDir: disk.folder }),
  });
  const stop = async () => {
    await place.stop();
    disk?.remove();
  };
  return { place: { ...place, stop }, troubles: troublesOf(place, disk) };
}

const setup: Setup = {
  ...(onCluster ? await setUpCluster() : await setUpServers()),
  responses: new Responses({ hasProxy: onCluster }),
};
let holds = false;
try {
  const members = await prepare(setup);
  const started = Date.now();
  const happened = await rage(setup, members);
  const struck = await clearFaults(setup);
  const lasted = ((Date.now() - started) / 1000).toFixed(0);
  console.log(
    `${lasted} s of storm, the clock of the second ${onCluster ? 'worker' : 'server'} ${CLOCK_AHEAD_MS} ms ahead or behind`,
  );
  for (const [name, { count, longestMs }] of happened)
    printCounts([[`${name}, ready again ${longestMs} ms later at most`, count]]);
  printCounts(struck);
  setup.responses.print();
  holds = await judge(setup, members);
} finally {
  await setup.place.stop();
}
process.exit(holds ? 0 : 1);
