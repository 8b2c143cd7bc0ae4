import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { io } from 'socket.io-client';
import { afterEach, expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';

const ADDRESS_MAX = 6;
const env = await startTestEnv({
  jobs: false,
  environment: { SOCKETS_ADDRESS_MAX: String(ADDRESS_MAX), SOCKETS_MAX: '8', TRUSTED_PROXIES: '127.0.0.1' },
});
const { sockets } = env.app.deps.budgets;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await expect.poll(() => sockets.used()).toBe(0);
});

/** Upgrades and then says nothing; returns the status line and headers. */
async function upgrade(address: string): Promise<string> {
  const socket = connect(Number(new URL(env.url).port), '127.0.0.1').on('error', () => undefined);
  open.push(socket);
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
      `sec-websocket-version: 13\r\nsec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\nx-forwarded-for: ${address}\r\n\r\n`,
  );
  const [data] = await once(socket, 'data');
  return String(data);
}

const poll = (address: string) =>
  fetch(`${env.url}/socket.io/?EIO=4&transport=polling`, { headers: { 'x-forwarded-for': address } });

test('connections that never say a word are limited for each address, and in total', async () => {
  for (let count = 0; count < ADDRESS_MAX; count++)
    expect(await upgrade('192.0.2.1')).toMatch(/^HTTP\/1.1 101 /);
  expect(await upgrade('192.0.2.1')).toMatch(/^HTTP\/1.1 429 .*\r\nretry-after: 5\r\n/s);
  expect((await poll('192.0.2.1')).status).toBe(429);
  expect(await upgrade('192.0.2.2')).toMatch(/^HTTP\/1.1 101 /);
  const polling = await poll('192.0.2.3');
  expect(polling.status).toBe(200);
  const refused = await poll('192.0.2.4');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await upgrade('192.0.2.4')).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 5\r\n/s);
  expect(sockets.refused()).toEqual({ caller: 2, total: 2 });
  const { sid } = JSON.parse((await polling.text()).slice(1)) as { sid: string };
  // A polling session is no connection; it ends by its own word, or after a while.
  await fetch(`${env.url}/socket.io/?EIO=4&transport=polling&sid=${sid}`, { method: 'POST', body: '1' });
});

test('a refused connection is closed, and one that ends gives its place to the next', async () => {
  for (let count = 0; count < ADDRESS_MAX; count++) await upgrade('192.0.2.1');
  await upgrade('192.0.2.1');
  await once(open.at(-1)!, 'close');
  open[0]!.destroy();
  await expect.poll(() => upgrade('192.0.2.1')).toMatch(/^HTTP\/1.1 101 /);
});

test.each([
  ['another protocol', 'GET', 'upgrade: h2c'],
  ['a websocket without its key', 'GET', 'upgrade: websocket'],
  ['another method', 'POST', 'upgrade: websocket\r\ncontent-length: 0'],
])('an upgrade to %s on the socket’s own path is answered and closed', async (_what, method, headers) => {
  const socket = connect(Number(new URL(env.url).port), '127.0.0.1').on('error', () => undefined);
  open.push(socket);
  let received = '';
  socket.on('data', (data) => {
    received += String(data);
  });
  socket.write(
    `${method} /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n${headers}\r\n\r\n`,
  );
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1.1 4\d\d /);
});

test('what fails during the handshake takes no place, and a client that begins with polling takes one', async () => {
  for (let count = 0; count < 20; count++)
    await fetch(`${env.url}/socket.io/?EIO=4&transport=nonsense`).then((reply) =>
      expect(reply.status).toBe(400),
    );
  await expect.poll(() => sockets.used()).toBe(0);
  const socket = io(env.url, { reconnection: false, forceNew: true });
  await new Promise((resolve) => socket.io.engine.once('upgrade', resolve));
  expect(sockets.used()).toBe(1);
  socket.disconnect();
});
