import { MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { holdPasswords } from '../../testing/busy-passwords.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { person } from '../registration/testing-people.ts';
import { pass, pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('register.otp', false);
await env.set('withdraw.oneOpen', false);
const operators = operatorHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

const PIN = '135790';
const refusal = (status: number, message: string) => ({ status, body: { message } });

/** A member with 1,000 in the wallet, logged in twice. */
async function member() {
  const who = person();
  const { username, password } = who;
  const { body } = await env.call('POST', '/api/account', who);
  const login = async () => (await env.call('POST', '/api/login', { username, password })).body.token;
  const me = { id: String(body._id), token: await login(), other: await login(), login, password };
  const phone = String(username);
  await env.control('persons', {
    phone,
    name: 'สมชาย ใจดี',
    bankCode: 'KBANK',
    accountNo: who.bankAccountNo,
    accountName: 'สมชาย ใจดี',
    balance: 50_000,
  });
  const { payload } = (await env.call('POST', '/api/qrcode/KBANK', { amount: 1000 }, me)).body;
  await env.control('pay-qr', { payload, phone });
  await until(async () => (await env.call('GET', '/api/wallet', undefined, me)).body.wallet.amount === 1000);
  return me;
}
type Someone = Awaited<ReturnType<typeof member>>;
const put = (me: { token: string }, body: object) => env.call('PUT', '/api/account/pin', body, me);
const prove = (token: string, pin = PIN) => env.call('POST', '/api/account/pin/prove', { pin }, { token });
const withdraw = (token: string, key = '') =>
  env.call(
    'POST',
    '/api/wallet/withdrawAll',
    { amount: 100 },
    { token, ...(key ? { headers: { 'idempotency-key': key } } : {}) },
  );
const demand = (me: Someone) => put(me, { password: me.password, pin: PIN });

test('without a PIN none is required; with one, money leaves only from a session that proved it, for five minutes', async () => {
  const me = await member();
  expect(await prove(me.token)).toMatchObject({ status: 200 });
  expect((await withdraw(me.token)).status).toBe(200);
  expect((await demand(me)).body).toEqual({ message: 'OK' });
  const { body } = await env.call('GET', '/api/lookup/withdraw', undefined, me);
  expect(body.needsPin).toBe(true);
  for (const call of ['withdraw', 'withdrawAll'])
    expect(await env.call('POST', `/api/wallet/${call}`, { amount: 100 }, me)).toMatchObject({
      status: 403,
      body: { message: 'UNAUTHORIZED', data: { pin: true } },
    });
  // The same intent is answered once the PIN is proven: the refusal is not stored as the response.
  expect((await withdraw(me.token, 'pin-intent-1')).status).toBe(403);
  expect(await prove(me.token)).toMatchObject({ status: 200 });
  expect((await withdraw(me.token, 'pin-intent-1')).status).toBe(200);
  expect((await withdraw(me.other)).status).toBe(403);
  await pass(env, clock, 5 * MINUTE_MS);
  expect((await withdraw(me.token)).status).toBe(403);
});

test('wrong PINs of a stolen session leave the others their tries', async () => {
  const me = await member();
  await demand(me);
  for (let time = 0; time < 5; time++)
    expect(await prove(me.other, '000000')).toMatchObject(refusal(400, 'WRONG_PASSWORD'));
  expect((await prove(me.other)).status).toBe(429);
  expect((await prove(me.token)).status).toBe(200);
});

test('wrong PINs are counted over all sessions of a member too', async () => {
  const me = await member();
  await demand(me);
  for (let session = 0; session < 3; session++) {
    const token = await me.login();
    for (let time = 0; time < 5; time++) await prove(token, '000000');
  }
  expect((await prove(me.token)).status).toBe(429);
  await pass(env, clock, 15 * MINUTE_MS);
  expect((await prove(me.token)).status).toBe(200);
});

test('a right PIN that is refused for the member does not close the session of who typed it', async () => {
  const me = await member();
  await demand(me);
  for (let session = 0; session < 3; session++) {
    const token = await me.login();
    for (let time = 0; time < 5; time++) await prove(token, '000000');
  }
  await pass(env, clock, 14 * MINUTE_MS);
  for (let time = 0; time < 5; time++) expect((await prove(me.token)).status).toBe(429);
  await pass(env, clock, 2 * MINUTE_MS);
  expect((await prove(me.token)).status).toBe(200);
});

test('the password sets, changes and removes it, and the trail tells without it', async () => {
  const me = await member();
  for (const pin of ['12345', '1234567', 'abcdef', '12345６'])
    expect(await put(me, { password: me.password, pin })).toMatchObject(refusal(400, 'INVALID_REQUEST'));
  expect(await put(me, { password: 'wrong', pin: PIN })).toMatchObject(refusal(400, 'WRONG_PASSWORD'));
  expect(await put({ token: 'x' }, { password: 'x', pin: PIN })).toMatchObject(refusal(401, 'invalid-token'));
  expect((await withdraw(me.token)).status).toBe(200);
  await demand(me);
  await prove(me.token);
  await put(me, { password: me.password, pin: '246802' });
  expect((await withdraw(me.token)).status).toBe(403);
  expect(await prove(me.token)).toMatchObject(refusal(400, 'WRONG_PASSWORD'));
  const remove = (password: unknown) => env.call('POST', '/api/account/pin/remove', { password }, me);
  expect(await remove('wrong')).toMatchObject(refusal(400, 'WRONG_PASSWORD'));
  for (let time = 0; time < 2; time++) expect((await remove(me.password)).status).toBe(200);
  expect((await withdraw(me.token)).status).toBe(200);
  const trail = await operators.audit(`member:${me.id}`);
  expect(trail.filter(({ action }) => action === 'member.pin').map(({ after }) => after)).toEqual([
    { demanded: true },
    { demanded: true },
    { demanded: false },
    { demanded: false },
  ]);
  const { rows } = await env.owner.query('select pin_hash from member where id = $1', [me.id]);
  expect(rows).toEqual([{ pin_hash: null }]);
});

test('forty guesses at once check five, and none after that for a quarter of an hour', async () => {
  const me = await member();
  await demand(me);
  const guesses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => prove(me.token, String(n).padStart(6, '0'))),
  );
  expect(guesses.filter(({ body }) => body.message === 'WRONG_PASSWORD')).toHaveLength(5);
  expect(await prove(me.token)).toMatchObject(refusal(429, 'REQUEST_LIMIT'));
  await pass(env, clock, 15 * MINUTE_MS);
  expect(await prove(me.token)).toMatchObject({ status: 200 });
});

test('a PIN that a busy server did not check uses up no try', async () => {
  const me = await member();
  await demand(me);
  const release = holdPasswords({ lane: 'member', address: '127.0.0.1' });
  try {
    for (let time = 0; time < 6; time++) expect((await prove(me.token)).status).toBe(503);
  } finally {
    await release();
  }
  expect(await prove(me.token, '000000')).toMatchObject(refusal(400, 'WRONG_PASSWORD'));
  expect((await prove(me.token)).status).toBe(200);
});

test('is changed twenty times an hour, so that no member fills the audit trail', async () => {
  const me = await member();
  for (let time = 1; time <= 20; time++) expect((await demand(me)).status).toBe(200);
  expect(await demand(me)).toMatchObject(refusal(429, 'REQUEST_LIMIT'));
  const removal = await env.call('POST', '/api/account/pin/remove', { password: me.password }, me);
  expect(removal).toMatchObject(refusal(429, 'REQUEST_LIMIT'));
  expect(await operators.audit(`member:${me.id}`)).toHaveLength(20);
  await pass(env, clock, 60 * MINUTE_MS);
  expect((await demand(me)).status).toBe(200);
});
