/**
 * A server's ledger in a process of its own, for `bench -- distance`. Answers each {@link Load} that its parent sends
 * with {@link Posted}. Arguments: a name for references, and the addresses of the databases it may post to.
 */
import { createPool } from '@krapao/server/database';
import { createLedger, createSystemAccounts, type Ledger } from '@krapao/server/ledger';
import { percentile } from '../bench-env.ts';
import { keepInFlight } from '../keep-in-flight.ts';

/** Posts to keep in flight for a time, into the database at a place of the arguments. */
export interface Load {
  database: number;
  inFlight: number;
  seconds: number;
}

/** What a load did; `p50Ms` is the median time of one post. */
export interface Posted {
  perSecond: number;
  p50Ms: number;
}

const ACCOUNTS = 2_000;
const FUNDS_MINOR = 100_000_000n;
const [name = '', ...urls] = process.argv.slice(2);
let serial = 0;

interface Books {
  ledger: Ledger;
  accounts: bigint[];
}

async function openBooks(connectionString: string): Promise<Books> {
  const pool = createPool(
    { connectionString },
    { max: 16, applicationName: `posting ${name}`, statementTimeoutMs: 60_000 },
  );
  const ledger = createLedger({ pool, now: () => new Date(), queueMax: 20_000 });
  const bank = await createSystemAccounts(pool, () => new Date())('bank:BENCH', 'BAHT');
  const { rows } = await pool.query(
    "select ledger_open_account(1::smallint, 'wallet', $2 + g, null, now()) as id from generate_series(1, $1) g",
    [ACCOUNTS, process.pid * ACCOUNTS],
  );
  const accounts: bigint[] = rows.map((row) => row.id);
  await Promise.all(
    accounts.map((to, index) =>
      ledger.post({
        reference: `fund:${name}:${index}`,
        kind: 'fund',
        legs: [{ from: bank, to, amountMinor: FUNDS_MINOR }],
      }),
    ),
  );
  return { ledger, accounts };
}

async function post({ ledger, accounts }: Books): Promise<void> {
  const from = Math.floor(Math.random() * ACCOUNTS);
  const to = (from + 1 + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS;
  const outcome = await ledger.post({
    reference: `transfer:${name}:${serial++}`,
    kind: 'transfer',
    legs: [{ from: accounts[from]!, to: accounts[to]!, amountMinor: 1n }],
    watch: accounts[from]!,
  });
  if (outcome.state !== 'posted') throw new Error(`a post ended as ${outcome.state}`);
}

async function run(books: Books, { inFlight, seconds }: Load): Promise<Posted> {
  const { rate, times } = await keepInFlight(inFlight, seconds, () => post(books));
  return { perSecond: rate, p50Ms: percentile(times, 0.5) };
}

const books = await Promise.all(urls.map(openBooks));
process.on('message', async (load: Load) => process.send!(await run(books[load.database]!, load)));
process.on('disconnect', () => process.exit());
process.send!('ready');
