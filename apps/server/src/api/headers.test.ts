import { describe, expect, test } from 'vitest';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const friendly = await startTestEnv({
  jobs: false,
  environment: { CORS_ORIGINS: 'https://friend.example https://other.example' },
});
const member = await env.member();

const REQUESTS: [string, string, string, object?][] = [
  ['an answer', 'GET', '/api/lookup/info'],
  ['a refusal', 'POST', '/api/login', { username: 'x', password: 'y' }],
  ['a missing token', 'GET', '/api/wallet'],
  ['an unknown path', 'GET', '/api/nothing'],
  ['an unknown path outside the API', 'GET', '/nothing'],
  ['a bad body', 'POST', '/api/login', {}],
  ['the document', 'GET', '/docs'],
  ['a refused confirmation', 'POST', '/hooks/bank-a/confirmation', {}],
];

const PAGE_RULES = [
  "default-src 'self'",
  "script-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
];

describe('every answer', () => {
  test.each(REQUESTS)('carries the security headers: %s', async (_what, method, path, body) => {
    const { headers } = await env.call(method, path, body);
    const policy = headers.get('content-security-policy')!;
    const rules = policy.split(';').map((rule) => rule.trim());
    // The API shows nothing, so it may load nothing; pages may load their own.
    if (path.startsWith('/api')) expect(rules).toEqual(["default-src 'none'", "frame-ancestors 'none'"]);
    else expect(rules).toEqual(expect.arrayContaining(PAGE_RULES));
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBeTruthy();
    expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null]);
  });

  test('of the API is never stored', async () => {
    for (const [, method, path, body] of REQUESTS.filter(([, , path]) => path.startsWith('/api')))
      expect([path, (await env.call(method, path, body)).headers.get('cache-control')]).toEqual([
        path,
        'no-store',
      ]);
    expect(
      (await env.call('GET', '/api/wallet', undefined, { token: member.token })).headers.get('cache-control'),
    ).toBe('no-store');
  });
});

describe('other sites', () => {
  test.each(['/art/nothing.webp', '/howto/nothing.mp4', '/api/lookup/info'])(
    'may show %s where the app’s pages lie elsewhere, and nowhere else',
    async (path) => {
      const policyOf = async (where: typeof env) =>
        (await where.call('GET', path)).headers.get('cross-origin-resource-policy');
      expect([await policyOf(friendly), await policyOf(env)]).toEqual(['cross-origin', 'same-origin']);
    },
  );

  const preflight = (where: typeof env, origin: string) =>
    where.call('OPTIONS', '/api/wallet', undefined, {
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });

  test('get no leave by default', async () => {
    for (const origin of ['https://evil.example', 'null', env.url]) {
      const response = await env.call('GET', '/api/lookup/info', undefined, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect((await preflight(env, origin)).headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('get leave only when they are named, never with credentials', async () => {
    for (const origin of ['https://friend.example', 'https://other.example']) {
      const { headers } = await preflight(friendly, origin);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE');
    }
    for (const origin of [
      'https://evil.example',
      'https://friend.example.evil.example',
      'http://friend.example',
      'null',
      'https://FRIEND.example:444',
    ]) {
      const response = await friendly.call('GET', '/api/lookup/info', undefined, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('what is not there', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/wallet/nothing/at/all',
    '/nothing',
    '/.env',
    '/../package.json',
    '/hooks',
    '/socket.io/nothing.js',
  ])('%s is 404 with a code and nothing else', async (path) => {
    const reply = await fetch(env.url + path);
    if (path.startsWith('/socket.io')) expect(reply.status).toBeGreaterThanOrEqual(400);
    else expect([reply.status, await reply.json()]).toEqual([404, { message: 'NO_DATA' }]);
  });

  test('HEAD is not there for any call', async () => {
    for (const path of ['/api/lookup/info', '/api/wallet', '/api/wallet/activate/betflix'])
      expect((await env.call('HEAD', path, undefined, { token: member.token })).status).toBe(404);
  });
});

describe('an unexpected fault', () => {
  test('says nothing but a code, the request’s id and a reference for support', async () => {
    await env.owner.query('alter table source rename to source_away');
    const response = await env.call('GET', '/api/lookup/sources');
    await env.owner.query('alter table source_away rename to source');
    expect(response).toMatchObject({ status: 500, body: { message: 'INTERNAL_SERVER_ERROR' } });
    expect(Object.keys(response.body)).toEqual(['message', 'data']);
    expect(Object.keys(response.body.data)).toEqual(['requestId', 'reference']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await env.call('GET', '/api/lookup/sources')).status).toBe(200);
  });

  test('health and readiness answer without a token', async () => {
    expect((await env.call('GET', '/healthz')).body.status).toBe('ok');
    expect((await env.call('GET', '/readyz')).body).toEqual({ status: 'ready' });
  });
});
