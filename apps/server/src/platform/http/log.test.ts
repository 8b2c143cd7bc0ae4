import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BARE_ENVIRONMENT, databaseUrlOf, startServer } from '../../crash/fixtures/server.ts';
import { freePort } from '../../testing/ports.ts';
import { until } from '../../testing/test-env.ts';
import { testDatabase } from '../database/testing.ts';

const database = await testDatabase();
const port = String(await freePort());
const sandboxUrl = `http://127.0.0.1:${await freePort()}`;

/** A sandbox whose bank confirms to the server under test. */
const sandbox = spawn(process.execPath, [join(import.meta.dirname, '../../../../sandbox/src/main.ts')], {
  env: {
    ...BARE_ENVIRONMENT,
    SANDBOX_PORT: new URL(sandboxUrl).port,
    SANDBOX_MEMORY: '1',
    PRODUCT_URL: `http://127.0.0.1:${port}`,
  },
  stdio: 'ignore',
});
const server = await startServer({
  PORT: port,
  LOG_LEVEL: 'debug',
  DATABASE_URL: await databaseUrlOf(database.owner),
  BANK_A_URL: `${sandboxUrl}/outside/bank-a`,
  GIFT_URL: `${sandboxUrl}/outside/gift`,
  SMS_URL: `${sandboxUrl}/outside/sms`,
  PUSH_URL: `${sandboxUrl}/outside/push`,
  WW_URL: `${sandboxUrl}/outside/gateways/ww`,
  ZAPMAN_URL: `${sandboxUrl}/outside/gateways/zapman`,
  GAME_F_URL: `${sandboxUrl}/outside/game-f`,
  GAME_J_URL: `${sandboxUrl}/outside/game-j`,
});
afterAll(async () => {
  await server.stop();
  sandbox.kill('SIGKILL');
});
await until(() =>
  fetch(`${sandboxUrl}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  ),
);

const PHONE = '0891234567';
const PASSWORD = 'ความลับ-ที่-ห้าม-บันทึก';
const ACCOUNT = '4567891230';
let token = '';

// biome-ignore lint/suspicious/noExplicitAny: the test looks at whatever came back
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      'x-requested-with': 'wallet-user',
      'idempotency-key': crypto.randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json();
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks at whatever came back
async function control(path: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${sandboxUrl}/control/${path}`, {
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
  });
  return reply.json();
}

/** From the first SMS to the last payout; returns every secret met on the way. */
async function wholeRun(): Promise<string[]> {
  const person = {
    username: PHONE,
    password: PASSWORD,
    name: 'ทดสอบ ระบบ',
    bankCode: 'KBANK',
    bankAccountNo: ACCOUNT,
    bankAccountName: 'ทดสอบ ระบบ',
    currency: 'BAHT',
    sourceCode: 'other',
  };
  await control('persons', { name: person.name, phone: PHONE, bankCode: 'KBANK', accountNo: ACCOUNT });
  const { otpToken } = await call('POST', '/api/otp/send', { phoneNumber: PHONE });
  const { otp } = (await control(`sms?phone=${PHONE}`)).messages.at(-1);
  await call('POST', '/api/otp/verify', { otpToken, otpCode: otp });
  await call('POST', '/api/account', person);
  ({ token } = await call('POST', '/api/login', { username: PHONE, password: PASSWORD }));
  const { id: browser, endpoint, keys } = await control('push', { phone: PHONE });
  await call('POST', '/api/push/subscription', { endpoint, keys, language: 'th' });
  await control('faults', { party: 'push', kind: 'outage', count: 1 });
  const { payload } = await call('POST', '/api/qrcode/KBANK', { amount: 1000 });
  await control('pay-qr', { payload, phone: PHONE });
  await until(async () => (await call('GET', '/api/wallet')).wallet.amount === 1000);
  await call('GET', '/api/wallet/activate/betflix');
  const game = await call('GET', '/api/wallet/account/betflix');
  await call('POST', '/api/wallet/transfer', { from: 'wallet', to: 'betflix', amount: 500 });
  await call(
    'GET',
    `/api/autoLogin/betflix/${game.username}/${encodeURIComponent(game.password)}?token=${token}`,
  );
  await control('play', { agent: 'betflix', username: game.username, stake: 500, rounds: 1, result: 'win' });
  await call('POST', '/api/wallet/transferAll', { to: 'wallet' });
  const { id } = await call('POST', '/api/wallet/withdraw', { amount: 300 });
  await until(async () => {
    const { rows } = await database.owner.query('select status from withdrawal where id = $1', [id]);
    return rows[0].status === 'SUCCESS';
  });
  await until(async () => {
    const { browsers } = await control(`push?phone=${PHONE}`);
    return browsers[0].messages.length > 0;
  });
  await call('PUT', '/api/account/changepwd', { oldPassword: PASSWORD, newPassword: `${PASSWORD}-2` });
  return [PASSWORD, token, otpToken, otp, game.password, ACCOUNT, browser, keys.auth];
}

test('a whole run at the most talkative level leaves no password, token, code, game password, bank number or browser’s address in the log', async () => {
  const secrets = await wholeRun();
  // Refused ones, whose details an error could carry along.
  for (const [path, body] of [
    ['/api/login', { username: PHONE, password: `${PASSWORD}-wrong` }],
    ['/api/account/validate', { username: PHONE, password: PASSWORD, bankAccountNo: ACCOUNT }],
    ['/api/otp/verify', { otpToken: secrets[2], otpCode: secrets[3] }],
    [`/api/statement?token=${token}`, `{"page": "${PASSWORD}`],
  ] as const)
    await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  await until(async () => server.output().includes('/api/statement'));
  const log = server.output();
  expect(log).toContain('/api/login');
  expect(log).toContain('payment confirmed');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(3);
    const escaped = secret.replace(/[-/\\^$*+?.()|[\]{}]/g, '\\$&');
    // A code of six digits may well be a part of a time: it counts as a separate number.
    const whole = new RegExp(/^\d{6}$/.test(secret) ? `(?<![\\w.])${escaped}(?!\\w)` : escaped);
    const found = log.split('\n').filter((line) => whole.test(line));
    expect(found).toEqual([]);
  }
  expect(log).not.toContain(encodeURIComponent(PASSWORD));
  for (const line of log.split('\n').filter((one) => one.startsWith('{')))
    expect(JSON.parse(line)).toMatchObject({ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
});
