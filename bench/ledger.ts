/**
 * In-process ledger posts against pgbench in the same rounds: many accounts, and one hot system account.
 * Usage: npm run bench -- ledger [rounds] [seconds]
 */
import { createLedger, createSystemAccounts, verifyLedger } from '@krapao/server/ledger';
import { numberArgument } from './src/arguments.ts';
import { createYardstick, judge, median, openBenchDatabase, percentile } from './src/bench-env.ts';
import { keepInFlight } from './src/keep-in-flight.ts';
import { findPgbench, preparePgbench, runPgbench } from './src/pgbench.ts';

const rounds = numberArgument(0, 5);
const seconds = numberArgument(1, 4);
const ACCOUNTS = 10_000;
const IN_FLIGHT = 512;
const FUNDS_MINOR = 100_000_000n;

const program = findPgbench();
const env = await openBenchDatabase();
const yardstick = await createYardstick(env.database.owner);
await preparePgbench(program, env.database.owner, yardstick);
const ledger = createLedger({ pool: env.pool, now: () => new Date(), queueMax: 20_000 });
const systemAccount = createSystemAccounts(env.pool, () => new Date());
const bank = await systemAccount('bank:BENCH', 'BAHT');
const opened = await env.pool.query(
  "select ledger_open_account(1::smallint, 'wallet', g, null, now()) as id from generate_series(1, $1) g",
  [ACCOUNTS],
);
const accounts = opened.rows.map((row) => row.id);
await Promise.all(
  accounts.map((account, index) =>
    ledger.post({
      reference: `fund:${index}`,
      kind: 'fund',
      legs: [{ from: bank, to: account, amountMinor: FUNDS_MINOR }],
    }),
  ),
);

let serial = 0;
const pick = () => accounts[Math.floor(Math.random() * ACCOUNTS)]!;

/** Two different accounts. */
function pickTwo(): { from: bigint; to: bigint } {
  const [from, to] = [pick(), pick()];
  return from === to ? pickTwo() : { from, to };
}

/** Keeps posts in flight, each between the accounts that `legs` returns. */
const load = (inFlight: number, legs: () => { from: bigint; to: bigint }) =>
  keepInFlight(inFlight, seconds, async () => {
    const { from, to } = legs();
    const outcome = await ledger.post({
      reference: `b:${serial++}`,
      kind: 'transfer',
      legs: [{ from, to, amountMinor: 1n }],
      watch: from,
    });
    if (outcome.state !== 'posted') throw new Error(`post ended as ${outcome.state}`);
  });

const many: number[] = [];
const hot: number[] = [];
const alone: number[] = [];
for (let round = 1; round <= rounds; round++) {
  const yard = await runPgbench(program, env.database.owner, yardstick, seconds);
  const spread = await load(IN_FLIGHT, pickTwo);
  const focused = await load(IN_FLIGHT, () => ({ from: bank, to: pick() }));
  const single = await load(1, pickTwo);
  many.push(spread.rate / yard.tps);
  hot.push(focused.rate / yard.tps);
  alone.push(percentile(single.times, 0.5));
  console.log(
    `round ${round}: pgbench ${yard.tps.toFixed(0)}/s (${yard.clients} clients), many accounts ${spread.rate.toFixed(0)}/s, ` +
      `one hot account ${focused.rate.toFixed(0)}/s, one at a time ${percentile(single.times, 0.5).toFixed(2)} ms (p99 ${percentile(single.times, 0.99).toFixed(2)} ms)`,
  );
}
console.log(`median of ${rounds} rounds; a post alone takes ${median(alone).toFixed(2)} ms`);
const good = judge([
  { name: 'posts ÷ pgbench, many accounts', reached: median(many), bar: 2, aim: 4 },
  { name: 'posts ÷ pgbench, one hot account', reached: median(hot), bar: 2, aim: 5 },
]);
const findings = await verifyLedger(env.pool);
console.log(findings.length === 0 ? 'the books are right' : JSON.stringify(findings, null, 2));
await ledger.close();
await env.close();
process.exit(good && findings.length === 0 ? 0 : 1);
