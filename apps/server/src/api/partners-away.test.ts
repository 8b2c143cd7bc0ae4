import { expect, test } from 'vitest';
import { verifyLedger } from '../ledger/index.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const member = await env.member({ amountMinor: 100_000n });
const options = { token: member.token };
const open = await env.call('GET', '/api/wallet/activate/betflix', undefined, options);
const { username } = (await env.call('GET', '/api/wallet/account/betflix', undefined, options)).body;
await env.stopSandbox();

test('the game account was opened while the partners were reachable', () => expect(open.status).toBe(200));

test.each([
  ['POST', '/api/otp/send', { phoneNumber: '0800000001' }, 'OTP_SEND_FAIL'],
  ['GET', '/api/wallet/activate/areaslot', undefined, 'GAME_ACTIVATION_FAIL'],
  ['GET', '/api/autoLogin/betflix/USERNAME', undefined, 'PROVIDER_UNAVAILABLE'],
  ['POST', '/api/wallet/transfer', { from: 'betflix', to: 'wallet', amount: 5 }, 'PROVIDER_UNAVAILABLE'],
] as const)('with no partner available, %s %s is refused', async (method, path, body, code) => {
  const response = await env.call(method, path.replace('USERNAME', username), body, options);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.body.message).toBe(code);
});

test('a QR is not made', async () => {
  const response = await env.call('POST', '/api/qrcode/KBANK', { amount: 100 }, options);
  expect(response.body).toMatchObject({ hasQrcode: false, message: 'QR_FAIL' });
});

test('a transfer into a game is unknown: its money is held, not moved', async () => {
  const response = await env.call(
    'POST',
    '/api/wallet/transfer',
    { from: 'wallet', to: 'betflix', amount: 100 },
    options,
  );
  expect(response).toMatchObject({ status: 200, body: { status: 'PENDING', wallet: { amount: 900 } } });
  await env.app.runJob('transfers.resolve', { id: response.body.id });
  const { rows } = await env.pool.query('select state from provider_transfer where id = $1', [
    response.body.id,
  ]);
  expect(rows).toEqual([{ state: 'UNKNOWN' }]);
});

test('a withdrawal is held and stays in progress; a refresh keeps the last figure', async () => {
  const response = await env.call('POST', '/api/wallet/withdraw', { amount: 500 }, options);
  await env.app.runJob('withdrawals.pay');
  const { rows } = await env.pool.query('select status from withdrawal where id = $1', [response.body.id]);
  expect(rows).toEqual([{ status: 'PROCESSING' }]);
  const refreshed = await env.call('GET', '/api/wallet/refresh/slot', undefined, options);
  expect(refreshed.body.slots).toMatchObject([{ code: 'betflix', amount: 0, ok: false }]);
});

test('the books are right after all of this', async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});
