/**
 * Precision and recall of the risk score on labelled members: honest ones with the accidents of honest lives, and cheats
 * of each kind, stronger and weaker. Each requests a withdrawal over HTTP; what is reviewed counts as found.
 * Usage: npm run bench -- risk [honest members] [cheats of each kind] [seed]
 */
import pg from 'pg';
import { freePort } from '../apps/server/src/testing/ports.ts';
import { numberArgument } from './src/arguments.ts';
import { judge, openBenchDatabase } from './src/bench-env.ts';
import { CHEATS, FUNDS, type Label, labelledMembers, writeLives } from './src/labelled-members.ts';
import { fillMembers } from './src/members.ts';
import { startServer, stopServer } from './src/server.ts';

const members = labelledMembers({
  honest: numberArgument(0, 2_000),
  each: numberArgument(1, 40),
  seed: numberArgument(2, 1),
});
const FIRST_ID = 200_001;
const IN_FLIGHT = 32;

const env = await openBenchDatabase();
const tokens = await fillMembers(env.pool, {
  secrets: env.secrets,
  members: members.length,
  fundsMinor: BigInt(FUNDS) * 100n,
  // No bank is called: every withdrawal waits, with any score.
  settings: { 'withdraw.automaticMax': { BAHT: 1, LAK: 1 } },
});
const owner = new pg.Client(env.database.owner);
await owner.connect();
await writeLives(owner, members, FIRST_ID);
await owner.query('analyze');
const port = await freePort();
const server = await startServer(env.dataDir, port);

async function withdraw(token: string, amount: number): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/wallet/withdraw`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-requested-with': 'wallet-user',
    },
    body: JSON.stringify({ amount }),
  });
  if (!reply.ok) throw new Error(`withdrawal of ${amount}: ${reply.status} ${await reply.text()}`);
}

const queue = members.flatMap(({ label, amount }, place) =>
  label === 'helper' ? [] : [{ token: tokens[place]!, amount: Math.max(100, Math.round(amount)) }],
);
await Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    for (let next = queue.pop(); next; next = queue.pop()) await withdraw(next.token, next.amount);
  }),
);

interface Row {
  place: number;
  score: number;
  parts: { code: string }[];
  review: number;
}
const { rows } = await owner.query(
  `select (w.member_id - ${FIRST_ID})::int as place, r.score, r.parts, r.review_score as review
   from risk_assessment r join withdrawal w on w.id = r.withdrawal_id`,
);
const found = (rows as Row[]).map(({ place, score, parts, review }) => ({
  label: members[place]!.label,
  isReviewed: score >= review,
  parts: parts.map(({ code }) => code),
}));
const count = (is: (one: (typeof found)[number]) => boolean): number => found.filter(is).length;
const isCheat = (label: Label): boolean => label !== 'honest';

console.log(
  `${count(({ label }) => !isCheat(label))} honest members, ${count(({ label }) => isCheat(label))} cheats`,
);
for (const cheat of CHEATS) {
  const all = count(({ label }) => label === cheat);
  const named = count(({ label, parts }) => label === cheat && parts.includes(cheat));
  const reviewed = count(({ label, isReviewed }) => label === cheat && isReviewed);
  const wrongly = count(({ label, parts }) => label === 'honest' && parts.includes(cheat));
  console.log(
    `  ${cheat.padEnd(15)} ${named} of ${all} named, ${reviewed} reviewed; ${wrongly} honest members named`,
  );
}
const reviewedHonest = count(({ label, isReviewed }) => label === 'honest' && isReviewed);
const reviewedCheats = count(({ label, isReviewed }) => isCheat(label) && isReviewed);
const good = judge([
  { name: 'precision', reached: reviewedCheats / (reviewedCheats + reviewedHonest), bar: 0.7, aim: 0.9 },
  { name: 'recall', reached: reviewedCheats / count(({ label }) => isCheat(label)), bar: 0.7, aim: 0.9 },
  {
    name: 'honest members reviewed',
    reached: reviewedHonest / count(({ label }) => label === 'honest'),
    bar: 0.1,
    aim: 0.02,
    lowerIsBetter: true,
  },
]);
await stopServer(server);
await owner.end();
await env.close();
process.exit(good ? 0 : 1);
