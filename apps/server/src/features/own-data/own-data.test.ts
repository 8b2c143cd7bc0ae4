import { HOUR_MS } from '@krapao/contract/durations';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { slipHelpers } from '../deposits/slips/testing-slips.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { refundHelpers } from '../refunds/testing-refunds.ts';
import { person } from '../registration/testing-people.ts';
import { pass, pushedClock } from '../testing.ts';
import { LISTS, listOwnAccounts, listOwnRequests, PROFILE } from './queries.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('register.otp', false);
await env.set('register.addressHourMax', 100_000);
await env.set('refresh.seconds', 0);
const { open, transfer, transferAll, play, gameBalance } = gameHelpers(env);
const operators = operatorHelpers(env);
const refunds = refundHelpers(env);
const slips = slipHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

/** A member by registration, whose password is known. */
async function member() {
  const { username, password, bankAccountNo, ...rest } = person();
  const who = { username, password, bankAccountNo, ...rest };
  const { body } = await env.call('POST', '/api/account', who);
  const { token } = (await env.call('POST', '/api/login', { username, password })).body;
  const phone = String(username);
  await env.control('persons', {
    name: 'สมชาย ใจดี',
    phone,
    bankCode: 'KBANK',
    accountNo: bankAccountNo,
    accountName: 'สมชาย ใจดี',
    balance: 50_000,
  });
  const accountNo = String(bankAccountNo);
  return { id: BigInt(body._id), who, token: String(token), phone, accountNo, password: String(password) };
}
type Someone = Awaited<ReturnType<typeof member>>;
const request = (me: { token: string }, method: string, path: string, body?: unknown) =>
  env.call(method, path, body, { token: me.token });
const close = (me: Someone, password: unknown = me.password) =>
  request(me, 'POST', '/api/account/close', { password });

async function payIn(me: Someone, amount: number): Promise<void> {
  const { payload } = (await request(me, 'POST', '/api/qrcode/KBANK', { amount })).body;
  await env.control('pay-qr', { payload, phone: me.phone });
  await until(async () => (await request(me, 'GET', '/api/wallet')).body.wallet.amount === amount);
}
const file = async (me: { token: string }) => {
  const reply = await fetch(`${env.url}/api/account/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};

/** Tables about members that name them by their phone, withdrawal or action. */
const OF_MEMBERS = '^phone$|(^|_)withdrawal_id$|^actor$';

/** Tables about members that their file leaves out, and why. */
const LEFT_OUT = {
  bank_transaction: 'a likely owner is a guess; what was credited is among the deposits',
  error_reference: 'a reference for support, deleted after 30 days',
  idempotency: 'responses to retries, deleted after a day',
  ledger_entry: 'the same movements as the statement',
  manual_entry: 'its amount is a row of the statement',
  member_note: 'internal remarks of operators',
  member_tag: 'internal remarks of operators',
  otp: 'one-time codes by phone, deleted after days',
  outbox: 'messages on their way to sockets and workers',
  payment_report: 'its amount is a row of the statement',
  payout: 'the order of a withdrawal to the bank: the withdrawal is in the file',
  payout_return: 'its amount is a row of the statement',
  play_offer: 'a reserved part of a deposit limit: its QR or gift is in the file, and it ends with it',
  provider_transfer: 'its amount is a row of the statement',
  reconciliation_difference: 'a comparison of books; the movement itself is in the statement',
  refund_sum: 'sums of the statement',
  reversal: 'its amount is a row of the statement',
  risk_assessment: 'a score for operators: the withdrawal is in the file',
  small_action: 'counts towards the limits of operators',
  statement_block: 'counts of the statement',
  withdrawal_decision: 'how operators decided: the withdrawal is in the file, with its state',
  withdrawal_unbet: 'internal evidence of the score',
  withdrawal_unplayed: 'internal evidence of the score',
};

describe('own data', () => {
  test('is one file with all stored data, and no secret', async () => {
    const [me, other] = [await member(), await member()];
    await payIn(me, 500);
    await open(me, 'betflix');
    await transfer(me, 'wallet', 'betflix', 200);
    await request(me, 'PUT', '/api/limits', { kind: 'deposit', period: 'day', amount: 700 });
    await request(me, 'PUT', '/api/account/pin', { password: me.password, pin: '135790' });
    const { status, headers, text } = await file(me);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    const data = JSON.parse(text);
    expect(data).toMatchObject({
      profile: { id: String(me.id), phone: me.phone, currency: 'BAHT', wallet: 300, name: 'สมชาย ใจดี' },
      bank_accounts: [{ bank: 'KBANK', number: me.who.bankAccountNo, status: 'ACTIVE' }],
      statement: [
        { type: 'deposit', status: 'SUCCESS', amount: 500 },
        { type: 'transfer', from: 'wallet', to: 'betflix', amount: 200 },
      ],
      deposits: [{ channel: 'QR', amount: 500 }],
      withdrawals: [],
      bonuses: [],
      slips: [],
      games: [{ game: 'betflix', username: `kp${me.id}` }],
      limits: [{ kind: 'deposit', period: 'day', amount: 700 }],
      breaks: [],
      sessions: [{ ended_at: null }],
      actions: [{ action: 'member.pin', address: '127.0.0.1', at: expect.any(String) }],
    });
    const { rows } = await env.owner.query('select password_hash from member where id = $1', [me.id]);
    const { body: game } = await request(me, 'GET', '/api/wallet/account/betflix');
    for (const secret of [me.token, rows[0].password_hash, game.password]) expect(text).not.toContain(secret);
    expect(JSON.parse((await file(other)).text)).toMatchObject({
      profile: { id: String(other.id) },
      statement: [],
      actions: [],
    });
  });

  test('contains what was asked of the member, requested, granted, tried and chosen', async () => {
    const me = await member();
    await payIn(me, 500);
    const lead = await operators.operator('finance-lead');
    const other = { bankCode: 'SCB', bankAccountName: 'สมชาย ใจดี', bankAccountNo: '8877665544' };
    await request(me, 'PUT', '/api/account/profile', { name: 'สมชาย ใจดี', ...other });
    const { rows: approvals } = await env.owner.query('select id from approval where maker_member_id = $1', [
      me.id,
    ]);
    const refusal = `/api/operator/approvals/${approvals[0].id}/refuse`;
    await operators.call(lead, 'POST', refusal, { note: 'internal remark' });
    const grant = { coins: 3, reason: 'internal remark', key: 'coins-key-1' };
    await operators.call(lead, 'POST', `/api/operator/members/${me.id}/coins`, grant);
    const { link, code } = await env.control('vouchers', { amount: 20, phone: me.phone });
    await request(me, 'POST', '/api/wallet/truelink', { link });
    const kinds = { money: true, bonus: false, chat: true, login: true };
    await request(me, 'PUT', '/api/push', { kinds, hidesAmounts: true });
    const slip = await slips.make(me, { amount: '25.00' });
    await slips.upload(me, slip.bytes);
    await env.owner.query("update member set unknown_invite_code = 'K-0' where id = $1", [me.id]);
    await open(me, 'pg');
    const since = clock.now();
    const played = [me.id, since];
    await env.owner.query(
      `insert into game_played (member_id, slot_code, since, until, turnover, read_at) values ($1, 'pg', $2, $2, 1250, $2)`,
      played,
    );
    await env.owner.query(
      `insert into kyc_check (member_id, state, round, wanted, refusal, requested_at, decided_by, decided_at)
       values ($1, 'REFUSED', 2, '{identity}', 'UNREADABLE', $2, 'operator:x', $2)`,
      played,
    );
    const { text } = await file(me);
    expect(JSON.parse(text)).toMatchObject({
      profile: { unknown_invite_code: 'K-0', status: 'ACTIVE' },
      bank_account_requests: [{ bank: 'SCB', number: '8877665544', name: 'สมชาย ใจดี', state: 'REFUSED' }],
      coin_grants: [{ coins: 3 }],
      gifts: [{ code, state: expect.any(String), expected: 20 }],
      qr_codes: [{ bank: 'KBANK', amount: 500, status: 'PAID' }],
      notification_preferences: [{ money: true, bonus: false, chat: true, login: true, hides_amounts: true }],
      play_read: [{ game: 'pg', turnover: 12.5 }],
      slips: [{ amount: 25, bank: 'KBANK', bank_reference: slip.transRef, sender: expect.any(String) }],
      identity_check: [{ state: 'REFUSED', refusal: 'UNREADABLE', wanted: ['identity'] }],
    });
    expect(text).not.toContain('internal remark');
  });

  test('of every table about members is in the file, or left out for a reason', async () => {
    const { rows } = await env.owner.query(
      `select c.table_name as name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
         and (c.column_name ~ '(^|_)member_id$' or c.column_name ~ $1)
       union select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = 'member'::regclass
       order by 1`,
      [OF_MEMBERS],
    );
    const read =
      [PROFILE, ...Object.values(LISTS)].join(' ') + String(listOwnAccounts) + String(listOwnRequests);
    const isRead = (name: string) => new RegExp(`(from|join|,) ${name}\\b`).test(read);
    const missing = rows.map(({ name }) => name).filter((name) => !isRead(name));
    expect(missing).toEqual(Object.keys(LEFT_OUT).toSorted());
  });

  test('is given five times an hour, to its owner alone', async () => {
    const me = await member();
    for (let time = 0; time < 5; time++) expect((await file(me)).status).toBe(200);
    expect(JSON.parse((await file(me)).text)).toEqual({ message: 'REQUEST_LIMIT', data: { minutes: 60 } });
    await pass(env, clock, HOUR_MS);
    expect((await file(me)).status).toBe(200);
    expect(JSON.parse((await file({ token: 'x' })).text)).toEqual({ message: 'invalid-token' });
  });
});

describe('closing', () => {
  test('ends every call and login for good, and keeps phone and bank account taken', async () => {
    const me = await member();
    expect(await close(me)).toMatchObject({ status: 200, body: { message: 'OK' } });
    expect(await close(me)).toMatchObject({ status: 410, body: { message: 'gone' } });
    expect((await request(me, 'GET', '/api/wallet')).body).toEqual({ message: 'gone' });
    const login = { username: me.phone, password: me.password };
    expect(await env.call('POST', '/api/login', login)).toMatchObject({ status: 410 });
    const again = await env.call('POST', '/api/account', me.who);
    expect(again.body).toEqual({ message: 'EXISTING_USER' });
    const otherPhone = { ...me.who, username: person().username };
    expect((await env.call('POST', '/api/account', otherPhone)).body).toMatchObject({
      message: 'EXISTING_BANK',
    });
    expect(await operators.audit(`member:${me.id}`)).toMatchObject([
      { actor: `member:${me.id}`, action: 'member.close', before: { status: 'ACTIVE' } },
    ]);
    const support = await operators.operator('support');
    const seen = await operators.call(support, 'GET', `/api/operator/members/${me.id}`);
    expect(seen.body.status).toBe('CLOSED');
  });

  test('needs the password and a session', async () => {
    const me = await member();
    expect(await close(me, 'wrong')).toMatchObject({ status: 400, body: { message: 'WRONG_PASSWORD' } });
    expect(await close(me, '')).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
    expect((await close({ ...me, token: 'x' })).body).toEqual({ message: 'invalid-token' });
    expect((await request(me, 'GET', '/api/wallet')).status).toBe(200);
  });

  test('waits until nothing is left or open, in games too, as they are now', async () => {
    const me = await member();
    const stays = async (...names: string[]) =>
      expect(await close(me)).toMatchObject({
        status: 400,
        body: { message: 'INVALID_REQUEST', data: { open: names } },
      });
    await request(me, 'POST', '/api/qrcode/KBANK', { amount: 300 });
    await stays('qr');
    await payIn(me, 300);
    await stays('wallet');
    await open(me, 'betflix');
    await transfer(me, 'wallet', 'betflix', 300);
    await stays('games');
    await play(me, 'betflix', 100, 'lose');
    await refunds.receive(me);
    await stays('games', 'refund');
    await refunds.addWallet(me);
    await stays('wallet', 'games');
    await transfer(me, 'wallet', 'betflix', 5);
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 1 });
    expect(await close(me)).toMatchObject({ status: 503, body: { message: 'PROVIDER_UNAVAILABLE' } });
    await transferAll(me, 'wallet');
    expect((await request(me, 'POST', '/api/wallet/withdraw', { amount: 205 })).status).toBe(200);
    await stays('wallet', 'entries');
  });

  test('does not wait for parts of a credit that a game does not move', async () => {
    const me = await member();
    await payIn(me, 100);
    for (const slot of ['askmebet', 'betflix']) await open(me, slot);
    await transfer(me, 'wallet', 'askmebet', 1);
    await play(me, 'askmebet', 1, 'win');
    await transferAll(me, 'wallet');
    await transfer(me, 'wallet', 'betflix', 100);
    await play(me, 'betflix', 100, 'lose');
    expect(await gameBalance(me, 'askmebet')).toBe(95n);
    expect((await close(me)).status).toBe(200);
  });

  test('includes what a game has won since its last reading', async () => {
    const me = await member();
    await payIn(me, 100);
    await open(me, 'betflix');
    await transfer(me, 'wallet', 'betflix', 100);
    await play(me, 'betflix', 100, 'lose');
    expect(await close(me)).toMatchObject({ status: 200, body: { message: 'OK' } });
  });

  test('ten times at once happens once', async () => {
    const me = await member();
    const responses = await Promise.all(Array.from({ length: 10 }, () => close(me)));
    const results = responses.map(({ body }) => body.message);
    expect(results.filter((one) => one === 'OK')).toHaveLength(1);
    expect(new Set(results.filter((one) => one !== 'OK'))).toEqual(new Set(['gone']));
    expect(await operators.audit(`member:${me.id}`)).toHaveLength(1);
  });
});
