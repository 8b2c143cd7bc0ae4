import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseUrlOf, startServer } from '../../crash/fixtures/server.ts';
import { testDatabase } from '../database/testing.ts';

const database = await testDatabase();
const DATABASE_URL = await databaseUrlOf(database.owner);
const KEY = 'a key for the one who watches';
const plain = await startServer({ DATABASE_URL, HOST: '0.0.0.0' });
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

  test.skipIf(!outward)('are not there for other addresses, however they introduce themselves', async () => {
    const url = plain.url.replace('127.0.0.1', outward!);
    expect((await metrics(url)).status).toBe(404);
    const pretending = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(pretending.status).toBe(404);
  });

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
