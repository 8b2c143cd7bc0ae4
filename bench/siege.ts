/**
 * Members and operators at work, first alone, then while every attack of the threat model is made at once from many
 * addresses; both measured side by side. Holds when payouts take at most twice as long in the median, members are
 * refused because of others' load with 503 and Retry-After only and in under 1 % of their calls, the server stays under
 * 600 MB, operators sign in within 2 s (median), nothing acknowledged is lost and the books balance.
 * With `cluster` the same at the whole cluster of deploy/, through its proxies.
 * Usage: npm run bench -- siege [seconds a phase] [cluster]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { numberArgument } from './src/arguments.ts';
import { startCluster } from './src/cluster/cluster.ts';
import { siteOf } from './src/cluster/site.ts';
import { Figures, printBeside } from './src/figures.ts';
import { type Site, startInstallation, watchServers } from './src/installation.ts';
import { arrivalsInDatabase, type Worker, watch, workAsMember } from './src/member-work.ts';
import { registerMember } from './src/register-member.ts';
import { pause } from './src/server.ts';
import {
  type BenchOperator,
  createOperators,
  OPERATOR_PASSWORD,
  workAsOperator,
} from './src/siege/operators.ts';

const seconds = numberArgument(0, 120);
const MEMBERS = 8;
const OPERATORS = 16;
const STATEMENT_ROWS = 40_000;
const SECRET = 'a secret that only the bench knows, 32 characters';

const SETTINGS = {
  'register.otp': false,
  'withdraw.oneOpen': false,
  'withdraw.playedTimes': 0,
  'withdraw.automaticDayMax': { BAHT: 1_000_000, LAK: 1 },
  // Every member here comes from one address with one browser, which the score would count against them.
  'risk.reviewScore': 101,
  'risk.holdScore': 101,
  'slip.closedHours': [],
  'slip.hourMax': 100_000,
  'qr.hourMax': 100_000,
  'game.entryHourMax': 100_000,
  'refresh.seconds': 0,
};

const place: Site =
  process.argv[3] === 'cluster'
    ? await siteOf(await startCluster({ env: { SECRET } }), SETTINGS)
    : await startInstallation({ settings: SETTINGS, env: { SECRET } });
await place.control('settings', { payoutDelayMs: 200, confirmationIntervalMs: 1000 });
const workers: Worker[] = [];
for (let at = 0; at < MEMBERS; at++) workers.push(await registerMember(place, at));
const [exporter, attacker] = [await registerMember(place, 50), await registerMember(place, 51)];
const operators = await createOperators(place, SECRET, OPERATORS + 1);

async function tokenOf({ phone, password }: Worker): Promise<string> {
  const reply = await fetch(`${place.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'wallet-user' },
    body: JSON.stringify({ username: phone, password }),
  });
  return ((await reply.json()) as { token: string }).token;
}

/** A long statement, as a regular player has after some years. */
await place.asOwner(
  `insert into statement (member_id, number, id, type, status, source, target, amount, created_at, updated_at)
   select m.id, g, 'BENCH' || g, 'transfer', 'FAILED', 'wallet', 'betflix', 100, now() - g * interval '1 minute', now()
   from member m, generate_series(1, $2::int) g where m.phone = $1`,
  [exporter.phone, STATEMENT_ROWS],
);

function startAttack(
  target: BenchOperator,
  tokens: { exporterToken: string; memberToken: string },
): ChildProcess {
  const argument = JSON.stringify({
    port: Number(new URL(place.url).port),
    consolePort: Number(new URL(place.consoleUrl).port),
    ...tokens,
    operator: { name: target.name, password: OPERATOR_PASSWORD },
  });
  return spawn(process.execPath, [join(import.meta.dirname, 'src/siege/attacks.ts'), argument], {
    // It ends with this program, however that ends: see the end of attacks.ts.
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}

async function phase(setup: Site, besieged: boolean): Promise<Figures> {
  const figures = new Figures();
  let on = true;
  const at = { place: setup, figures, isOn: () => on, listen: async () => arrivalsInDatabase(setup) };
  const attack = besieged
    ? startAttack(operators[OPERATORS]!, {
        exporterToken: await tokenOf(exporter),
        memberToken: await tokenOf(attacker),
      })
    : null;
  if (attack) await pause(5_000);
  const work = [
    ...workers.map((worker) => workAsMember(at, worker)),
    workAsOperator(at, operators.slice(0, OPERATORS)),
    watch(at),
  ];
  await pause(seconds * 1000);
  on = false;
  await Promise.all(work);
  attack?.stdin?.end();
  if (attack) await new Promise((resume) => attack.once('exit', resume));
  return figures;
}

const isSame = watchServers(place);
console.log(`alone, ${seconds} s`);
const calm = await phase(place, false);
// What the first phase used of the operators' allowances and codes is over.
await pause(31_000);
console.log(`besieged, ${seconds} s`);
const siege = await phase(place, true);

printBeside(calm, siege);
for (const [name, figures] of [
  ['alone', calm],
  ['besieged', siege],
] as const) {
  const { responses, overloaded, memoryMb, readiness } = figures;
  console.log(
    `${name}: ${responses} answers to members, ${overloaded} 503 with Retry-After (${((overloaded / responses) * 100).toFixed(2)} %), ` +
      `${memoryMb.toFixed(0)} MB at most, ready ${readiness.good} of ${readiness.good + readiness.bad} times`,
  );
  for (const wrong of [...new Set(figures.wrong)]) console.log(`  REFUSED ${wrong}`);
}
const acknowledged = [...calm.acknowledged, ...siege.acknowledged];
const kept = await place.asOwner<{ id: string }>('select id from withdrawal where id = any($1)', [
  acknowledged,
]);
// Rows without a movement behind them are no part of the books.
await place.asOwner("delete from statement where id like 'BENCH%'");
const verdict = place.verify();
console.log(verdict.text);
const ratio = siege.p50('withdrawal to payout') / calm.p50('withdrawal to payout');
const bars: [string, boolean][] = [
  [`payout median ${ratio.toFixed(2)} times as long (bar 2)`, ratio <= 2],
  [
    `members refused because of others' load ${((siege.overloaded / siege.responses) * 100).toFixed(2)} % (bar 1 %)`,
    siege.overloaded / siege.responses < 0.01,
  ],
  [
    `members refused in another way ${siege.wrong.length} times (bar 0)`,
    siege.wrong.length === 0 && calm.wrong.length === 0,
  ],
  [`server memory ${siege.memoryMb.toFixed(0)} MB (bar 600)`, siege.memoryMb < 600],
  [
    `operator sign-in median ${siege.p50('operator sign-in').toFixed(0)} ms (bar 2000)`,
    siege.p50('operator sign-in') < 2_000,
  ],
  [
    `acknowledged withdrawals lost ${acknowledged.length - kept.length} (bar 0)`,
    kept.length === acknowledged.length,
  ],
  [
    `books ${verdict.good ? 'balance' : 'DO NOT BALANCE'}, server ${isSame() ? 'never restarted' : 'RESTARTED'}`,
    verdict.good && isSame(),
  ],
];
for (const [text, holds] of bars) console.log(`${holds ? 'holds' : 'MISSED'}  ${text}`);
await place.stop();
process.exit(bars.every(([, holds]) => holds) ? 0 : 1);
