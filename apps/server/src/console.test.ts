import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createConsole } from './console.ts';
import { createMetrics } from './platform/metrics.ts';
import { startTestEnv } from './testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const folder = await mkdtemp(join(tmpdir(), 'krapao-console-'));
await writeFile(join(folder, 'index.html'), '<!doctype html><title>console</title>');
await writeFile(join(folder, 'app.js'), '// script');
const config = {
  ...env.app.deps.config,
  TRUSTED_PROXIES: '127.0.0.1',
  CONSOLE_ADDRESSES: '10.1.0.0/16',
};
const options = { config, backgroundPool: env.pool, consolePages: folder };
const { ledger, readiness } = env.app.deps;
const metrics = createMetrics({ ledger, readiness, pools: {}, budgets: [], diskFree: async () => null });
const { http, close } = await createConsole(options, { ...env.app.deps, metrics });
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const get = (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  http.inject({ method: 'GET', url, remoteAddress, headers });
const OFF = '192.0.2.7';
const ON = '10.1.2.3';

describe('the origin of the console', () => {
  test.each([
    '/',
    '/withdrawals',
    '/app.js',
    '/no-such-file.js',
    '/docs',
    '/docs/json',
    '/media/aaaaaaaaaaaaaaaaaaaa.png',
    '/files/x',
    '/api/operator/me',
    '/api/operator/live',
    '/api/no-such-call',
  ])('serves %s to no address off the allow list', async (url) => {
    const response = await get(url, OFF);
    expect([response.statusCode, response.json()]).toEqual([403, { message: 'INVALID_IP' }]);
    expect((await http.inject({ method: 'POST', url, remoteAddress: OFF })).statusCode).toBe(403);
    expect((await get(url, ON)).statusCode).not.toBe(403);
  });

  test('takes the address that a trusted proxy names, and none that another names', async () => {
    const through = (named: string, proxy: string) => get('/', proxy, { 'x-forwarded-for': named });
    expect((await through(ON, '127.0.0.1')).statusCode).toBe(200);
    for (const named of [OFF, 'unknown', `${ON}, ${OFF}`])
      expect((await through(named, '127.0.0.1')).statusCode).toBe(403);
    expect((await through(ON, OFF)).statusCode).toBe(403);
  });

  test('answers probes to every address, and names failing checks to those on the list alone', async () => {
    const { readiness } = env.app.deps;
    const ready = vi.spyOn(readiness, 'failed').mockResolvedValue([]);
    const degraded = vi.spyOn(readiness, 'dependencies').mockResolvedValue([['redis', false]]);
    expect((await get('/readyz', ON)).json()).toEqual({ status: 'ready', degraded: ['redis'] });
    expect((await get('/readyz', OFF)).json()).toEqual({ status: 'ready' });
    ready.mockResolvedValue(['database']);
    expect((await get('/readyz', ON)).json()).toEqual({ status: 'not ready', failed: ['database'] });
    const off = await get('/readyz', OFF);
    expect([off.statusCode, off.json()]).toEqual([503, { status: 'not ready' }]);
    expect((await get('/healthz', OFF)).json()).toMatchObject({ status: 'ok' });
    for (const spy of [ready, degraded]) spy.mockRestore();
  });
});
