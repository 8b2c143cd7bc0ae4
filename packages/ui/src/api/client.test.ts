import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ApiError } from './api-error.ts';
import { createApi } from './client.ts';
import { isDecided } from './decided.ts';

interface Calls {
  'GET /echo/{name}': {
    params: { name: string };
    query: undefined;
    body: undefined;
    reply: { path: string };
  };
  'POST /money': {
    params: undefined;
    query: undefined;
    body: { amount: number };
    reply: { headers: Record<string, string> };
  };
}

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A client in front of a real server that responds as configured. */
async function clientOf(listener: RequestListener, refusals: ApiError[] = []) {
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return createApi<Calls>({
    base: `http://127.0.0.1:${port}`,
    marker: { name: 'X-Requested-With', value: 'wallet-user' },
    token: () => 'secret',
    onRefusal: (error) => refusals.push(error),
  });
}

const money = { body: { amount: 5 }, idempotencyKey: 'k1' };

test('a call carries its parameters, the marker, the token and its key, and gives the bare answer', async () => {
  const api = await clientOf((request, reply) => {
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ path: request.url, headers: request.headers }));
  });
  expect((await api('GET /echo/{name}', { params: { name: 'a/b ก' } })).path).toBe('/echo/a%2Fb%20%E0%B8%81');
  const { headers } = await api('POST /money', money);
  expect(headers.authorization).toBe('Bearer secret');
  expect(headers['x-requested-with']).toBe('wallet-user');
  expect(headers['idempotency-key']).toBe('k1');
});

test('a refusal is thrown with its code and figures, after the session has been notified', async () => {
  const refusals: ApiError[] = [];
  const api = await clientOf((_, reply) => {
    reply.statusCode = 400;
    reply.end(JSON.stringify({ message: 'WITHDRAW_MINIMUM', data: { min: 100 } }));
  }, refusals);
  const error = (await api('POST /money', money).catch((thrown) => thrown)) as ApiError;
  expect([error.code, error.data.min, isDecided(error)]).toEqual(['WITHDRAW_MINIMUM', 100, true]);
  expect(refusals).toHaveLength(1);
});

test('a money call without an answer has an unknown result, any other call a network failure', async () => {
  const api = await clientOf((request) => request.socket.destroy());
  const code = (call: Promise<unknown>) => call.catch((thrown: ApiError) => thrown.code);
  expect(await code(api('POST /money', money))).toBe('unknownResult');
  expect(await code(api('GET /echo/{name}', { params: { name: 'x' } }))).toBe('network');
});

test('a fault of the server leaves the intent undecided', async () => {
  const api = await clientOf((_, reply) => {
    reply.statusCode = 502;
    reply.end('<html>bad gateway</html>');
  });
  const error = (await api('POST /money', money).catch((thrown) => thrown)) as ApiError;
  expect([error.code, isDecided(error)]).toEqual(['unknownResult', false]);
});

test.each([
  ['a proxy’s page', 403, '<html>blocked</html>'],
  ['a proxy’s time-out', 408, ''],
  ['a proxy’s limit', 413, '<html>too large</html>'],
  ['a refused client', 401, '{"message":"KEY_INVALID"}'],
  ['a limit of calls', 429, '{"message":"REQUEST_LIMIT"}'],
])('undecided intent: %s says nothing about what was sent before', async (_what, status, body) => {
  const api = await clientOf((_, reply) => {
    reply.statusCode = status;
    reply.end(body);
  });
  expect(isDecided(await api('POST /money', money).catch((thrown) => thrown))).toBe(false);
});
