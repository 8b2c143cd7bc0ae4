/** How many rows the calls of a member and the jobs behind them read where there are very many. */
import { beforeAll, expect, test } from 'vitest';
import { bonusHelpers } from '../features/bonuses/testing-bonuses.ts';
import { chatHelpers } from '../features/chat/testing-chat.ts';
import { slipHelpers } from '../features/deposits/slips/testing-slips.ts';
import { gameHelpers } from '../features/games/testing-games.ts';
import { refundHelpers } from '../features/refunds/testing-refunds.ts';
import { peopleHelpers, person } from '../features/registration/testing-people.ts';
import { wheelHelpers } from '../features/wheel/testing-wheel.ts';
import { insertHistory, insertRecent, LISTED } from '../testing/listed-rows.ts';
import { reportedPlans } from '../testing/reported-plans.ts';
import { type ApiResponse, startTestEnv, type TestMember } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
// What the helpers look up is not the server's.
const bonuses = bonusHelpers({ ...env, pool: env.owner });
const chat = chatHelpers(env);
const games = gameHelpers(env);
const people = peopleHelpers(env);
const refunds = refundHelpers(env);
const slips = slipHelpers(env);
const wheel = wheelHelpers(env);
const { superuser, statements, wide, start: reportPlans } = await reportedPlans(env);

/** Rows of others in each table. With fewer, reading all of them is at times the best plan. */
const OTHERS = 20_000;
/** What the member has done long ago. */
const HISTORY = ['deposits', 'withdrawals', 'transfers', 'slips', 'reports', 'bonus runs'];
const HISTORY_ROWS = 3000;
/** Members the member has invited. */
const INVITED = 100;
/** Bank transactions within 24 hours: so few that the planner does not always mind reading all. */
const OTHERS_TODAY = 3000;
/** What waits, for an operator or for a partner, stays short. */
const WAITING = ['ambiguous matches', 'gifts', 'unmatched'];
const lists = Object.keys(LISTED).filter((name) => !WAITING.includes(name));

let member: TestMember;

beforeAll(async () => {
  member = await env.member({ amountMinor: 100_000n });
  await env.set('wheel.active', true);
  await env.set('register.otp', false);
  await env.set('deposit.manual', true);
  await wheel.putUp([{ kind: 'CASH', value: 500n }]);
  const payer = env.app.deps.secrets.encrypt('payer', '{"name": "MALEE S."}').toString('hex');
  for (const name of lists) await superuser.query(insertRecent(LISTED[name]!, OTHERS, env.app.deps.secrets));
  for (const name of HISTORY)
    await superuser.query(insertHistory(LISTED[name]!, HISTORY_ROWS, env.app.deps.secrets, member.id));
  await env.app.runJob('feeds.read');
  await superuser.query(`
    set session_replication_role = replica;
    update deposit set amount = 30000;
    update deposit_account set daily_ceiling = 1000000000;
    update provider_transfer set ended_turn = 1;
    with others as (
      insert into bank_transaction (bank_code, account_no, bank_reference, amount, currency, paid_at, payer_bank, payer_mask, payer_sealed, received_at, state)
        select 'KBANK', '9998887776', 'OTHER' || n, 30000, 'BAHT', now() - n * interval '25 seconds', '004', 'xxx-x-x7001-x', '\\x${payer}', now(), 'CREDITED'
        from generate_series(1, ${OTHERS_TODAY}) n
        returning *)
    insert into transfer_evidence (source, bank_code, bank_reference, amount, currency, payer_bank, payer_mask, payer_sealed, paid_at, seen_at, state, bank_transaction_id, tied_by)
      select 'QR', bank_code, bank_reference, amount, currency, payer_bank, payer_mask, payer_sealed, paid_at, paid_at, 'TIED', id, 'FIRST' from others;
    insert into bank_account (id, member_id, bank_code, account_no_sealed, account_no_fingerprint, account_name, status, created_at, digits_indexed)
      overriding system value
      select 700000000 + n, 700000000 + n, 'KBANK', '\\x00', sha256(n::text::bytea), 'OTHER', 'ACTIVE', now(), true from generate_series(1, ${OTHERS}) n;
    insert into bank_account_digits (bank_account_id, middle_fingerprint, last_fingerprint)
      select 700000000 + n, sha256(n::text::bytea), sha256(n::text::bytea) from generate_series(1, ${OTHERS}) n;
    insert into session (token_hash, member_id, created_at, expires_at, network)
      select sha256(n::text::bytea), 700000000 + n, now(), now() + interval '1 day', 'n' || n from generate_series(1, ${OTHERS}) n;
    insert into notification (member_id, kind, subject, status, amount, created_at, read_at)
      select 700000000 + n, 'deposit', 'N' || n, 'SUCCESS', 100, now(), now() from generate_series(1, ${OTHERS}) n;
    update member set inviter_id = ${member.id} where id between 700000101 and 700000100 + ${INVITED};
    update member set inviter_id = 700000001 where id = ${member.id};
    analyze`);
  await reportPlans();
}, 120_000);

const post = (path: string, body: object) => env.call('POST', path, body, { token: member.token });

/** Registers another member, who logs in again. */
async function register(): Promise<unknown> {
  const intent = person();
  const registered = await people.register(intent);
  const { username, password } = intent;
  return refused(registered) ?? env.call('POST', '/api/login', { username, password });
}

/** What a member looks at, beside the wallet. */
const PAGES = [
  '/api/account/profile',
  '/api/account/sessions',
  '/api/limits',
  '/api/lookup/deposit',
  '/api/lookup/withdraw',
  '/api/promotion/current',
  '/api/spinwheel/active',
];
const LISTS = ['/api/invite', '/api/notifications', '/api/statement/slip', '/api/refund'];

const run = (job: string, content?: Record<string, string>) => env.app.runJob(job, content);

/** Makes the runs of others receipts of a bonus, as if each had been counted. */
async function receivedByOthers(code: string): Promise<void> {
  const of = '(select id from bonus where code = $1)';
  const sql = `update bonus_run set bonus_id = ${of} where member_id <> ${member.id} and state <> 'ACTIVE'`;
  const { rowCount } = await superuser.query(sql, [code]);
  expect(rowCount).toBeGreaterThan(OTHERS / 2);
  await superuser.query(`insert into bonus_receipts values (${of}, ${rowCount})`, [code]);
}

/** What a member does, in this order. */
const STEPS: [string, () => Promise<unknown>][] = [
  ['a deposit', () => bonuses.deposit(member, 300)],
  ['another of its amount', () => bonuses.deposit(member, 300)],
  [
    'a slip',
    async () => {
      const { bytes } = await slips.make(member, { amount: '150.00' });
      return slips.upload(member, bytes);
    },
  ],
  [
    'a transfer that the feed shows',
    async () => {
      const account = { toBank: 'SCB', toAccount: '2223334445' };
      await env.control('transfer', { phone: member.phone, amount: 170, ...account });
      await run('feeds.read');
    },
  ],
  ['a game', () => games.open(member, 'betflix')],
  ['a transfer', () => games.transfer(member, 'wallet', 'betflix', 100)],
  ['a round', () => games.play(member, 'betflix', 10, 'lose')],
  ['balances', () => games.refresh(member)],
  ['all into the wallet', () => games.transferAll(member, 'wallet')],
  ['the wallet', () => games.get(member, '/api/wallet')],
  ['the statement', () => bonuses.statement(member)],
  ['bonuses', () => bonuses.list(member)],
  ['refunds', () => refunds.check(member)],
  ['a conversation', () => chat.say(member, 'ถอนเงินเข้าหรือยัง')],
  ['its messages', () => chat.history(member)],
  ['coins', () => wheel.giveCoins(member, 1)],
  ['a spin', () => wheel.spin(member)],
  ['coupons', () => wheel.coupons(member)],
  [
    'a withdrawal',
    async () => {
      const made = await bonuses.withdraw(member, 100);
      await run('withdrawals.pay');
      await env.control('payout', { reference: made.body.id, state: 'PAID' });
      await run('withdrawals.ask', { id: made.body.id });
      return made;
    },
  ],
  [
    'a bonus',
    async () => {
      const code = await bonuses.offer({ quota: 1_000_000 });
      await receivedByOthers(code);
      await bonuses.deposit(member, 200);
      return bonuses.activate(member, code);
    },
  ],
  ['its state', () => bonuses.active(member)],
  [
    'a gift',
    async () => post('/api/wallet/truelink', { link: (await env.control('vouchers', { amount: 20 })).link }),
  ],
  ['a report of a payment', () => post('/api/wallet/add', { amount: 40 })],
  ['a registration and a login', register],
  ...PAGES.map((path): [string, () => Promise<unknown>] => [path, () => games.get(member, path)]),
  ...LISTS.map((path): [string, () => Promise<unknown>] => [path, () => post(path, { page: 1, limit: 10 })]),
];

/** Every minute or more often, for all members. */
const JOBS = [
  'housekeeping',
  'qr.expire',
  'bonuses.expire',
  'bonuses.recheck',
  'invites.ask',
  'transfers.sweep',
  'slips.ask',
  'withdrawals.sweep',
];

const refused = (reply: unknown): unknown =>
  reply && typeof reply === 'object' && 'headers' in reply && (reply as ApiResponse).status !== 200
    ? reply
    : undefined;

test('no statement reads more rows than a page has, whatever others have and the member did long ago', async () => {
  for (const [name, step] of STEPS) expect([name, refused(await step())]).toEqual([name, undefined]);
  for (const job of JOBS) await run(job);
  const done = `select (select count(*) from deposit where member_id = $1 and created_at > now() - interval '1 hour')::int as deposits, status
    from withdrawal where member_id = $1 and created_at > now() - interval '1 hour'`;
  expect((await superuser.query(done, [member.id])).rows).toEqual([{ deposits: 6, status: 'SUCCESS' }]);
  expect(statements.size).toBeGreaterThan(150);
  expect(Object.fromEntries(wide)).toEqual({});
}, 120_000);

test('a login and a one-time code read few sessions, however many the member has', async () => {
  const other = person();
  await people.register(other);
  await superuser.query(`
    update member set password_hash = (select password_hash from member where phone = '${other.username}') where id = ${member.id};
    insert into session (token_hash, member_id, created_at, expires_at, address, network)
      select sha256(('own' || n)::bytea), ${member.id}, now() - n * interval '1 minute', now() + interval '1 day', 'own' || n, 'own' || n
      from generate_series(1, ${HISTORY_ROWS}) n`);
  wide.clear();
  const wrong = await env.call('POST', '/api/login', { username: member.phone, password: 'wrong' });
  expect(wrong.body).toEqual({ message: 'WRONG_CREDENTIAL' });
  expect((await post('/api/password/send', { phoneNumber: member.phone })).status).toBe(200);
  const right = await env.call('POST', '/api/login', { username: member.phone, password: other.password });
  expect(right.status).toBe(200);
  // The former browsers of a member are those of their last 200 logins.
  expect([...wide.keys()].filter((query) => !query.includes('limit 200'))).toEqual([]);
});
