import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { chatHelpers } from '../../features/chat/testing-chat.ts';
import { madeFilm } from '../../features/content/testing-files.ts';
import { from, PROXY } from '../../features/registration/testing-people.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { readConfig } from '../config.ts';
import { createHttpServer } from './server.ts';

/** A network has a third of the calls and a sixth of the incomplete bodies, hooks have a tenth more. */
const CALLS_MAX = 30;
const NETWORK_CALLS = 10;
const NETWORK_BODIES = 5;
const BODIES = 15;
const HOOK_CALLS = 3;

const env = await startTestEnv({ jobs: false, environment: { ...PROXY, CALLS_MAX: String(CALLS_MAX) } });
const { upload } = chatHelpers(env);
const ports = {
  member: Number(new URL(env.url).port),
  console: Number(new URL(await env.app.consoleHttp.listen({ port: 0, host: '127.0.0.1' })).port),
};
const { budgets } = env.app.deps;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  const used = () => [
    budgets.calls.used(),
    budgets.hookCalls.used(),
    budgets.incompleteBodies.used(),
    budgets.operatorCalls.used(),
    budgets.operatorIncompleteBodies.used(),
  ];
  await expect.poll(used).toEqual([0, 0, 0, 0, 0]);
});

/** Sends a request of an address on a connection of its own. */
function send(port: number, request: string, address: string, headers = '', body = ''): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  open.push(socket);
  socket.write(`${request} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n${headers}\r\n${body}`);
  return socket;
}

/** The status of a response whose other bytes are not read. */
async function unread(socket: Socket): Promise<number> {
  const [data] = await once(socket, 'data');
  socket.pause();
  return Number(String(data).split(' ')[1]);
}

const film = await upload('film.mp4', madeFilm(15 * 1024 * 1024), 'video');
const filmPath = new URL(film.body.path, env.url);
const FILM = `GET ${filmPath.pathname}${filmPath.search}`;

/** Requests films of an address without reading them, and returns how often each status was received. */
async function unreadFilms(address: string, count: number): Promise<Record<number, number>> {
  const statuses = await Promise.all(
    Array.from({ length: count }, () => unread(send(ports.member, FILM, address))),
  );
  return Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((one) => one === status).length]),
  );
}

const banks = (address: string) => env.call('GET', '/api/lookup/banks', undefined, from(address));

describe('responses that are not read', () => {
  test('of one network leave the calls of all others', async () => {
    expect(await unreadFilms('192.0.2.1', CALLS_MAX + 5)).toEqual({
      200: NETWORK_CALLS,
      429: CALLS_MAX + 5 - NETWORK_CALLS,
    });
    expect(await banks('192.0.2.1')).toMatchObject({ status: 429, body: { message: 'REQUEST_LIMIT' } });
    expect((await banks('192.0.2.2')).status).toBe(200);
    expect((await fetch(`${env.url}/readyz`)).status).toBe(200);
    expect(budgets.calls.refused().caller).toBeGreaterThan(0);
  });

  test('of many networks refuse neither probes nor partners', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      expect(await unreadFilms(address, NETWORK_CALLS)).toEqual({ 200: NETWORK_CALLS });
    const refused = await banks('192.0.2.4');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    for (const probe of ['/healthz', '/readyz', '/metrics?x=1'])
      expect((await fetch(env.url + probe)).status).not.toBe(503);
    const notice = () => env.call('POST', '/hooks/bank-a/confirmation', {}, from('198.51.100.1'));
    expect((await notice()).status).toBe(401);
    // One connection of a partner that hangs takes no more than its share.
    const half = 'content-type: application/json\r\ncontent-length: 9\r\n';
    send(ports.member, 'POST /hooks/bank-a/confirmation', '198.51.100.2', half, '{');
    await expect.poll(() => budgets.hookCalls.used()).toBe(1);
    expect((await env.call('POST', '/hooks/bank-a/confirmation', {}, from('198.51.100.2'))).status).toBe(429);
    expect((await notice()).status).toBe(401);
    expect(budgets.hookCalls.max).toBe(HOOK_CALLS);
  });
});

describe('bodies that do not arrive', () => {
  const HALF = 'content-type: application/json\r\ncontent-length: 90\r\n';
  const FORM = 'content-type: multipart/form-data; boundary=x\r\ncontent-length: 90\r\n';
  const CASES = [
    ['member', 'POST /api/login', HALF],
    ['member', 'POST /api/login', 'content-type: application/json\r\ntransfer-encoding: chunked\r\n'],
    ['member', 'POST /api/chat/upload-video', FORM],
    ['member', 'GET /api/nothing', HALF],
    ['console', 'POST /api/operator/login', HALF],
  ] as const;

  test.each(CASES)(
    'at the %s port (%s, %j) are limited for a network and in total',
    async (port, request, headers) => {
      const bodies = port === 'member' ? budgets.incompleteBodies : budgets.operatorIncompleteBodies;
      const half = (address: string) => send(ports[port], request, address, headers, '');
      const refusals = async (address: string, count: number) => {
        const sockets = Array.from({ length: count }, () => half(address));
        const seen: string[] = [];
        for (const socket of sockets) socket.on('data', (data) => seen.push(String(data).slice(9, 12)));
        return seen;
      };
      const first = await refusals('192.0.2.1', NETWORK_BODIES + 2);
      await expect.poll(() => bodies.used()).toBe(NETWORK_BODIES);
      await expect.poll(() => first.filter((status) => status === '429')).toHaveLength(2);
      await refusals('192.0.2.2', NETWORK_BODIES);
      await refusals('192.0.2.3', NETWORK_BODIES);
      await expect.poll(() => bodies.used()).toBe(BODIES);
      const last = await refusals('192.0.2.4', 1);
      await expect.poll(() => last).toEqual(['503']);
      expect((await fetch(`http://127.0.0.1:${ports[port]}/api/nothing`)).status).toBe(404);
    },
  );

  test('count no more once they have arrived, or their connection has ended', async () => {
    const sockets = Array.from({ length: NETWORK_BODIES }, () =>
      send(
        ports.member,
        'POST /api/login',
        '192.0.2.1',
        'content-type: application/json\r\ncontent-length: 2\r\n',
        '{',
      ),
    );
    await expect.poll(() => budgets.incompleteBodies.used()).toBe(NETWORK_BODIES);
    sockets[0]!.destroy();
    sockets[1]!.write('}');
    await expect.poll(() => budgets.incompleteBodies.used()).toBe(NETWORK_BODIES - 2);
  });
});

test('a call that waits after its body has arrived does not count as an incomplete body', async () => {
  const app = await createHttpServer(
    readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent', CALLS_MAX: '30' }),
  );
  onTestFinished(() => app.close());
  let enter: () => void = () => undefined;
  const entered = new Promise<void>((resume) => {
    enter = resume;
  });
  app.post('/api/item', { onRequest: () => entered }, async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const post = () =>
    fetch(`http://127.0.0.1:${port}/api/item`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  const all = Array.from({ length: NETWORK_CALLS }, post);
  const refused = await post();
  expect(refused.status).toBe(429);
  enter();
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(NETWORK_CALLS).fill(200));
});
