import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseUrlOf, startServer } from '../../crash/fixtures/server.ts';
import { freePort } from '../../testing/ports.ts';
import { testDatabase } from '../database/testing.ts';

const database = await testDatabase();
const DATABASE_URL = await databaseUrlOf(database.owner);
const KEY = 'a key for the one who watches';
const consolePort = String(await freePort());
const plain = await startServer({ DATABASE_URL, HOST: '0.0.0.0', CONSOLE_PORT: consolePort });
const keyed = await startServer({ DATABASE_URL, METRICS_KEY: KEY });
afterAll(() => Promise.all([plain.stop(), keyed.stop()]));

const outward = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

const metrics = (url: string, authorization?: string) =>
  fetch(`${url}/metrics`, authorization ? { headers: { authorization } } : {});

describe('figures', () => {
  test('are shown to this machine, and name calls without anything about members', async () => {
    await fetch(`${plain.url}/api/lookup/banks`);
    const reply = await metrics(plain.url);
    const text = await reply.text();
    expect(reply.status).toBe(200);
    expect(text).toContain('krapao_call_seconds_count{call="GET /api/lookup/banks",status="200"} 1');
    expect(text).toContain('krapao_ledger_waiting 0');
  });

  test('count calls of operators like those of members, so that alerts open for them too, and no probes', async () => {
    const url = `http://127.0.0.1:${consolePort}`;
    for (const path of ['/api/operator/me', '/healthz', '/readyz', '/api/operator/live'])
      await fetch(url + path);
    await fetch(`${plain.url}/readyz`);
    const text = await (await metrics(plain.url)).text();
    expect(text).toContain('krapao_call_seconds_count{call="GET /api/operator/me",status="401"} 1');
    expect(text).not.toMatch(/call="GET \/(healthz|readyz|metrics|api\/operator\/live)"/);
  });

  test('tell of every bounded resource what is taken of it, all there is, and its refusals', async () => {
    const text = await (await metrics(plain.url)).text();
    const RESOURCES = [
      'calls',
      'incomplete_bodies',
      'hook_calls',
      'operator_calls',
      'operator_incomplete_bodies',
      'console_streams',
      'sockets',
      'member_exports',
      'operator_exports',
      'upload_bytes',
      'guest_upload_bytes',
      'images',
      'guest_images',
    ];
    for (const resource of RESOURCES) {
      expect(text).toContain(`krapao_limit_used{resource="${resource}"} 0`);
      expect(text).toMatch(new RegExp(`krapao_limit_max\\{resource="${resource}"\\} [1-9]`));
    }
    for (const resource of [...RESOURCES, 'disk'])
      for (const scope of ['caller', 'total'])
        expect(text).toContain(`krapao_refused_total{resource="${resource}",scope="${scope}"} 0`);
    for (const pool of ['calls', 'background']) {
      expect(text).toMatch(new RegExp(`krapao_pool_connections\\{pool="${pool}",state="in_use"\\} \\d`));
      // Whether a call waits at this moment depends on what else the machine does.
      expect(text).toMatch(new RegExp(`krapao_pool_waiting\\{pool="${pool}"\\} \\d`));
    }
    expect(text).toMatch(/krapao_disk_free_bytes [1-9]/);
    expect(text).toContain('krapao_ledger_oldest_seconds 0');
  });

  test.skipIf(!outward)('are not there for other addresses, however they introduce themselves', async () => {
    const url = plain.url.replace('127.0.0.1', outward!);
    expect((await metrics(url)).status).toBe(404);
    const pretending = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(pretending.status).toBe(404);
  });

  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'shown to the internet: are not there for a request of a proxy on this machine, which has %s',
    async (header) => {
      const passedOn = await fetch(`${plain.url}/metrics`, { headers: { [header]: '203.0.113.9' } });
      expect(passedOn.status).toBe(404);
    },
  );

  test('open with the key alone once there is one', async () => {
    expect((await metrics(keyed.url)).status).toBe(404);
    expect((await metrics(keyed.url, 'Bearer wrong')).status).toBe(404);
    expect((await metrics(keyed.url, `Bearer ${KEY}`)).status).toBe(200);
  });
});

test('liveness and readiness answer without a session and tell nothing of the inside', async () => {
  expect(await (await fetch(`${plain.url}/healthz`)).json()).toEqual({
    status: 'ok',
    now: expect.any(String),
  });
  expect(await (await fetch(`${plain.url}/readyz`)).json()).toEqual({ status: 'ready' });
});
