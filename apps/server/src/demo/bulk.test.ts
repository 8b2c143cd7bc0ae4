import { DAY_MS } from '@krapao/contract/durations';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandsHere } from '../admin/fixtures/command-line.ts';
import { createApp } from '../app.ts';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { DEMO_MEMBER } from '../demo.ts';
import { TRANSFER_CHECK } from '../features/games/read.ts';
import { STATEMENT_CHECK } from '../features/statement/read.ts';
import { WITHDRAWAL_CHECK } from '../features/withdrawals/read.ts';
import { verifyLedger } from '../ledger/index.ts';
import { systemClock } from '../platform/clock.ts';
import { hashPassword } from '../platform/passwords.ts';
import { WITHOUT_JOBS } from '../platform/process-roles.ts';
import { createSecrets } from '../platform/secrets.ts';
import { openSettings } from '../platform/settings.ts';
import { emptyInstallation } from '../testing/test-env.ts';
import { type BulkResult, countOtherMembers, fillPopulation } from './bulk.ts';
import { BULK_PREFIX, bulkPersona } from './bulk-member.ts';
import { createDemoHistory } from './history.ts';
import { deposit, registerMember } from './member.ts';
import { POPULATION } from './population.ts';
import { connectSandbox } from './sandbox.ts';

/** As long as the history that a first start makes, so that it has a row of each kind. */
const HISTORY_DAYS = 60;
const MEMBERS = 400;
const DAYS = 40;

/** Tables that visits write to, and what tells their kinds of rows apart. */
const KINDS: Record<string, string> = {
  member: "''",
  bank_account: 'status',
  bank_account_digits: "''",
  deposit: 'channel',
  qr: 'status',
  slip: "status || coalesce(' ' || note, '')",
  bank_transaction: "state || coalesce(' ' || reason, '')",
  transfer_evidence: "source || ' ' || state",
  gift_redemption: 'state',
  game_account: 'state',
  provider_transfer: "direction || ' ' || state",
  withdrawal: "status || ' ' || automatic",
  payout: 'state',
  risk_assessment: 'reasons::text',
  bonus_run: 'state',
  statement: "type || ' ' || status",
  notification: "kind || coalesce(' ' || status, '')",
  coin_day: 'is_open::text',
  chat_conversation: 'state',
  chat_message: 'sender',
  alert: "kind || ' ' || state",
  ledger_account: "split_part(kind, ':', 1) || ' ' || (member_id is null)",
  ledger_hold: 'state',
  audit: 'action',
};

const { config, pool, sandboxUrl } = await emptyInstallation();
const settings = await openSettings(pool);
const secrets = createSecrets(config.SECRET);
const fill = (members: number): Promise<BulkResult> =>
  fillPopulation({
    config,
    pool,
    secrets,
    settings,
    members,
    days: DAYS,
    seed: 1,
    slipFile: 'none',
    progress: () => undefined,
  });

/** The columns that are filled in each kind of row of a table. */
async function shapesOf(table: string): Promise<Set<string>> {
  const { rows } = await pool.query(
    `select distinct ${KINDS[table]} as kind,
       (select string_agg(k, ' ' order by k) from jsonb_object_keys(jsonb_strip_nulls(to_jsonb(t))) k) as columns
     from ${table} t`,
  );
  return new Set(rows.map(({ kind, columns }) => `${table} ${kind}: ${columns}`));
}

/** The accounts that each kind of ledger entry moves money between. */
async function entryShapes(): Promise<Set<string>> {
  const { rows } = await pool.query(
    `select distinct e.kind || case when e.member_id is null then '' else ' of a member' end
         || case when e.hold_key is null then '' else ' with a hold' end as kind,
       (select string_agg(split_part(a.kind, ':', 1) || case when p.amount < 0 then ' -' else ' +' end, ', ' order by p.leg)
        from ledger_posting p join ledger_account a on a.id = p.account_id where p.entry_id = e.id) as legs
     from ledger_entry e`,
  );
  return new Set(rows.map(({ kind, legs }) => `${kind}: ${legs}`));
}

async function allShapes(): Promise<Set<string>> {
  const tables = await Promise.all(Object.keys(KINDS).map(shapesOf));
  return new Set([...tables.flatMap((some) => [...some]), ...(await entryShapes())]);
}

const count = async (from: string): Promise<number> =>
  (await pool.query(`select count(*)::int as count from ${from}`)).rows[0].count;
const OF_BULK = `member_id in (select id from member where phone like '${BULK_PREFIX}%')`;

/** A deposit, a bonus that is given up, and a deposit on a day whose coins were given: what the history lacks. */
async function forfeitBonus(): Promise<void> {
  const app = await createApp({
    config,
    pool,
    backgroundPool: pool,
    clock: systemClock,
    roles: WITHOUT_JOBS,
  });
  const { password } = DEMO_MEMBER;
  const passwordHash = await hashPassword(password, { lane: 'member', address: null });
  const context = { app, sandbox: connectSandbox(sandboxUrl, Date.now()), password, passwordHash };
  const persona = { ...POPULATION[5]!, phone: '0815550299', accountNo: '020456799999' };
  const member = await registerMember(context, persona, undefined);
  await deposit(context, member, 200);
  for (const call of ['GET /api/bonus/activate/DAILY10', 'POST /api/bonus/forfeit'])
    expect(await member.call(call), call).not.toBeNull();
  await app.runJob('coins.reckon');
  await deposit(context, member, 100);
  await app.close();
}

/** Decides two withdrawals that wait, by the command line: the history decides as operators do. */
async function decideWaiting(): Promise<void> {
  const admin = commandsHere(await databaseUrlOf(pool));
  const { rows } = await pool.query("select id from withdrawal where status = 'REVIEW' limit 2");
  for (const [at, how] of ['approve', 'refuse'].entries())
    expect(await admin(['withdrawal', how, rows[at].id, 'looked at'])).toMatchObject({ code: 0 });
}

let shapesBefore: Set<string>;
let result: BulkResult;

beforeAll(async () => {
  const options = { config, pool, backgroundPool: pool, days: HISTORY_DAYS, log: () => undefined };
  await createDemoHistory(options);
  await forfeitBonus();
  await decideWaiting();
  shapesBefore = await allShapes();
  result = await fill(MEMBERS);
}, 300_000);

test('rows of every kind have the form of rows that the calls of the product make', async () => {
  expect([...(await allShapes())].filter((shape) => !shapesBefore.has(shape))).toEqual([]);
});

test('every kind of movement is there, and the books are right', async () => {
  expect(result).toMatchObject({ registered: MEMBERS, present: 0 });
  const kinds = {
    ...Object.fromEntries(
      ['QR', 'AUTO', 'SLIP', 'GIFT'].map((channel) => [channel, `deposit where channel = '${channel}' and`]),
    ),
    'game transfers': "provider_transfer where state = 'DONE' and",
    'refused slips': "slip where status = 'FAILED' and",
    'paid withdrawals': "withdrawal where status = 'SUCCESS' and",
    'withdrawals given back': "withdrawal where status = 'FAILED' and",
    bonuses: "bonus_run where state <> 'ACTIVE' and",
    stakes: "ledger_entry where kind = 'game_result' and",
    conversations: 'chat_conversation where',
  };
  for (const [kind, from] of Object.entries(kinds))
    expect(await count(`${from} ${OF_BULK}`), kind).toBeGreaterThan(0);
  expect(await count("alert where detail like '%30 minutes'")).toBeGreaterThan(0);
  expect(await verifyLedger(pool, [WITHDRAWAL_CHECK, TRANSFER_CHECK, STATEMENT_CHECK])).toEqual([]);
  expect(await count('outbox')).toBe(0);
});

test('the days lie in the past, and the members are of the demo', async () => {
  const { rows } = await pool.query(
    `select min(created_at) as first, max(created_at) as last from statement where ${OF_BULK}`,
  );
  expect(Date.now() - rows[0].first).toBeGreaterThan((DAYS - 1) * DAY_MS);
  expect(rows[0].last.getTime()).toBeLessThan(Date.now());
  expect(await countOtherMembers(pool)).toBe(0);
});

describe('a repeat', () => {
  test('with as many members adds nothing', async () => {
    const before = await count('ledger_entry');
    expect(await fill(MEMBERS)).toMatchObject({ registered: 0, present: MEMBERS, visits: 0 });
    expect(await count('ledger_entry')).toBe(before);
  });

  test('with more members adds those that are missing', async () => {
    expect(await fill(MEMBERS + 5)).toMatchObject({ registered: 5, present: MEMBERS });
    expect(await count(`member where phone like '${BULK_PREFIX}%'`)).toBe(MEMBERS + 5);
    expect(await verifyLedger(pool, [STATEMENT_CHECK])).toEqual([]);
  }, 60_000);
});

test('the same seed makes the same members', () => {
  const personas = (seed: number) =>
    Array.from({ length: 50 }, (_, position) => {
      const { chance, ...persona } = bulkPersona(seed, position, DAYS);
      return { ...persona, next: chance.between(0, 1) };
    });
  expect(personas(3)).toEqual(personas(3));
  expect(personas(3)).not.toEqual(personas(4));
});
