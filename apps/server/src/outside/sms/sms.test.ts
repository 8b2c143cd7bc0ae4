import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { bulkSms } from './bulk.ts';
import { gatewaySms } from './sms.ts';

const env = await startTestEnv({ jobs: false });
const sandbox = new URL(env.app.deps.config.SMS_URL).origin;
const keys = {
  key: 'sandbox-sms',
  secret: 'sandbox-sms-secret',
  sender: 'KRAPAO',
  variant: 'th',
  timeoutMs: 1_000,
} as const;

/** A port without a listener. */
const closed = await new Promise<number>((done) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address() as { port: number };
    probe.close(() => done(port));
  });
});

describe.each([
  { name: 'keys in headers', make: gatewaySms, url: `${sandbox}/outside/sms` },
  { name: 'ThaiBulkSMS’ shape', make: bulkSms, url: `${sandbox}/outside/sms-bulk` },
])('an SMS gateway ($name)', ({ make, url }) => {
  const sms = make({ ...keys, url });
  const inbox = async (to: string): Promise<string[]> =>
    (await env.control(`sms?phone=${to}`)).messages.map(({ text }: { text: string }) => text);

  test('brings a text to the phone and tells its own name of it', async () => {
    const to = url.endsWith('bulk') ? '0815551001' : '0815551002';
    expect(await sms.send({ to, text: 'รหัส 123456' })).toEqual({ outcome: 'ok', value: expect.any(String) });
    expect(await inbox(to)).toEqual(['รหัส 123456']);
  });

  test('names a Lao phone with its country code', async () => {
    const [to, text] = ['2055551234', `from ${url}`];
    expect(await make({ ...keys, url, variant: 'la' }).send({ to, text })).toMatchObject({ outcome: 'ok' });
    const { entries } = await env.control('log?party=sms&call=send&limit=1');
    expect(JSON.stringify(entries[0])).toMatch(/[^0-9]8562055551234[^0-9]/);
    expect(await inbox(to)).toContain(text);
  });

  test('reports a definite failure for an invalid number, wrong keys, an empty balance and a refused connection', async () => {
    const rejected = { outcome: 'rejected', code: expect.any(String) };
    const text = 'hello';
    expect(await sms.send({ to: '12', text })).toEqual(rejected);
    expect(await make({ ...keys, url, secret: 'wrong' }).send({ to: '0815551003', text })).toEqual(rejected);
    expect(
      await make({ ...keys, url: `http://127.0.0.1:${closed}` }).send({ to: '0815551003', text }),
    ).toEqual(rejected);
    await env.control('settings', { smsCredit: 0 });
    expect(await sms.send({ to: '0815551003', text })).toEqual(rejected);
    await env.control('settings', { smsCredit: 1_000 });
    expect(await inbox('0815551003')).toEqual([]);
  });

  test.each(['cut-before', 'cut-after', '500', 'malformed', 'delay'])(
    'does not know after %s',
    async (kind) => {
      await env.fault({
        party: 'sms',
        call: 'send',
        kind,
        count: 1,
        ...(kind === 'delay' && { ms: 1_500 }),
      });
      expect(await sms.send({ to: '0815551004', text: kind })).toMatchObject({ outcome: 'unknown' });
    },
  );
});
