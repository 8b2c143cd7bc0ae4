import { OUTSIDE_CALLS } from '@krapao/contract/outside';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { addDays, dayAt } from '../features/reconciliation/days.ts';
import { startTestEnv, until } from '../testing/test-env.ts';

const env = await startTestEnv();

interface LogEntry {
  party: string;
  call: string;
  method: string;
  path: string;
  request: unknown;
  status: number | null;
  reply: unknown;
}

const hooks = OUTSIDE_CALLS.filter((call) => call.by === 'partner');

test('the document lists every call between the product and its partners', async () => {
  const { status, body } = await env.call('GET', '/docs/adapters');
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  const listed = Object.values({ ...body.paths, ...body.webhooks }).flatMap((item) =>
    Object.values(item as Record<string, { operationId: string }>).map((operation) => operation.operationId),
  );
  expect(listed.toSorted()).toEqual(OUTSIDE_CALLS.map((call) => `${call.dialect}-${call.name}`).toSorted());
});

test.each(hooks)('$path is served, and refuses what is not signed in its declared shape', async (hook) => {
  const response = await env.call('POST', hook.path, {});
  expect(response.status).toBe(401);
  expect(Value.Check(hook.refusal, response.body)).toBe(true);
});

/** Makes the product send and receive all of its partner calls within a day. */
async function liveADay(): Promise<void> {
  const member = await env.member({ amountMinor: 100_000n });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await env.call(method, path, body, { token: member.token });
    expect([path, response.status, response.body]).toEqual([path, 200, expect.anything()]);
    return response.body;
  };
  await env.call('POST', '/api/otp/send', { phoneNumber: '0812345001' });
  for (const [bankCode, amount] of [
    ['KBANK', 20],
    ['WW', 100],
    ['ZAPMAN', 100],
  ] as const) {
    await call('POST', `/api/qrcode/${bankCode}`, { amount });
    if (bankCode !== 'KBANK') await call('DELETE', `/api/qrcode/${bankCode}`);
    const qr = await call('POST', `/api/qrcode/${bankCode}`, { amount });
    await env.control('pay-qr', { payload: qr.payload, phone: member.phone });
  }
  for (const game of ['betflix', 'pg']) {
    await call('GET', `/api/wallet/activate/${game}`);
    await call('POST', '/api/wallet/transfer', { from: 'wallet', to: game, amount: 10 });
    await call('POST', '/api/wallet/transfer', { from: game, to: 'wallet', amount: 5 });
    await call('GET', '/api/wallet/refresh/slot');
    await call('GET', `/api/wallet/resetpassword/${game}`);
    const { username } = await call('GET', `/api/wallet/account/${game}`);
    await call('GET', `/api/autoLogin/${game}/${username}`);
  }
  await call('POST', '/api/wallet/withdraw', { amount: 100 });
  // A lost notification makes the product query.
  await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
  await env.fault({ party: 'game-j', call: 'deposit', kind: 'cut-after', count: 1 });
  for (const game of ['betflix', 'pg'])
    await call('POST', '/api/wallet/transfer', { from: 'wallet', to: game, amount: 10 });
  await env.owner.query("update qr set created_at = created_at - interval '1 minute'");
  await env.app.runJob('deposits.ask');
  // The nightly comparison reads the statements of all partners.
  const day = addDays(dayAt(env.app.deps.clock.now()), -1);
  await env.app.runJob('reconciliation.run', { day });
}

/** What a quiet day leaves out: other tests walk these. */
const OTHER_DAYS = new Set([
  'bank-a transaction',
  'gift look',
  'gift redeem',
  'game-f summary',
  'game-j rounds',
  'slip-ok check',
  'easy-slip check',
  'sms-bulk send',
]);

test('everything said in a day has its declared shape', async () => {
  await liveADay();
  const names = OUTSIDE_CALLS.map((call) => `${call.dialect} ${call.name}`);
  const nameOf = ({ party, call, path }: LogEntry) => {
    if (party === 'ww' || party === 'zapman')
      return `${call === 'callback' ? `gateway-${party}` : 'gateway'} ${call}`;
    if (party === 'slip') return `${path.includes('slipok') ? 'slip-ok' : 'easy-slip'} ${call}`;
    return `${party} ${call}`;
  };
  const seen = new Set<string>();
  await until(async () => {
    const { entries } = (await env.control('log?limit=2000')) as { entries: LogEntry[] };
    for (const entry of entries) {
      const name = nameOf(entry);
      if (entry.status !== 200 || seen.has(name)) continue;
      const declared = OUTSIDE_CALLS[names.indexOf(name)];
      if (!declared) continue;
      const requested = declared.body ?? declared.query;
      // Of a notice the log keeps the signed text.
      const results =
        declared.by === 'partner' ? JSON.parse((entry.request as { body: string }).body) : entry.request;
      if (requested) expect([name, ...Value.Errors(requested, results)]).toEqual([name]);
      expect([name, ...Value.Errors(declared.reply, entry.reply)]).toEqual([name]);
      seen.add(name);
    }
    return names.every((name) => seen.has(name) || OTHER_DAYS.has(name));
  });
});
