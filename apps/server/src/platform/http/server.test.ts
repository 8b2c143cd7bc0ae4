import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { createBoundedLog } from '../bounded-log.ts';
import { Overloaded } from '../budget.ts';
import { readConfig } from '../config.ts';
import { PasswordsBusy } from '../passwords.ts';
import { Refusal } from '../refusal.ts';
import { refuseSlowBodies } from './call-limits.ts';
import { createHttpServer, respondMissing } from './server.ts';

const config = readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' });
const app = await createHttpServer(config);
app.post('/api/item', async () => ({}));
app.get('/api/item/:name', async () => ({}));
app.get('/api/busy/:what', async ({ params }) => {
  const { what } = params as { what: 'passwords' | 'pictures' };
  throw what === 'passwords' ? new PasswordsBusy('full') : new Overloaded(what, 2);
});
app.setNotFoundHandler((_request, reply) => respondMissing(reply));

test.each([
  ['a broken address', '/api/item/%zz'],
  ['a name far too long', `/api/item/${'x'.repeat(300)}`],
])('%s is refused without being repeated', async (_name, url) => {
  const reply = await app.inject({ method: 'GET', url });
  expect(reply.statusCode).toBeGreaterThanOrEqual(400);
  expect(reply.statusCode).toBeLessThan(500);
  expect(Object.keys(reply.json())).toEqual(['message']);
  expect(reply.body).not.toContain('zz');
});

test.each(['passwords', 'pictures'])(
  'where too many %s wait, the response states when to retry',
  async (what) => {
    const reply = await app.inject({ method: 'GET', url: `/api/busy/${what}` });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(reply.json()).toEqual({
      message: 'INTERNAL_SERVER_ERROR',
      data: { requestId: expect.any(String) },
    });
  },
);

test.each([
  ['no place is free', 'warn', () => new Overloaded('pictures')],
  ['passwords are busy', 'warn', () => new PasswordsBusy('full')],
  ['a refusal has a note', 'info', () => new Refusal('INVALID_REQUEST', undefined, 'a note')],
  ['something fails', 'error', () => new Error('a fault')],
] as const)('a flood of calls while %s is written in part', async (_name, level, fault) => {
  const lines: [string, object][] = [];
  let ms = 0;
  const flooded = await createHttpServer(config, { write: createBoundedLog('calls', () => ms) });
  flooded.addHook('onRequest', (request, _reply, done) => {
    const write = (name: string) => (line: object) => void lines.push([name, line]);
    request.log = { info: write('info'), warn: write('warn'), error: write('error') } as never;
    done();
  });
  flooded.get('/api/item', () => Promise.reject(fault()));
  for (let n = 0; n < 250; n++) await flooded.inject('/api/item');
  expect(lines.map(([name]) => name)).toEqual(Array(200).fill(level));
  ms = 1_000;
  await flooded.inject('/api/item');
  expect(lines[200]).toEqual(['warn', { event: 'left-out', lines: 50 }]);
  expect(lines).toHaveLength(202);
});

test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])(
  'a body of %s is 415',
  async (type) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/item',
      headers: { 'content-type': type },
      payload: 'x',
    });
    expect(reply.statusCode).toBe(415);
    expect(reply.json()).toEqual({ message: 'INVALID_REQUEST' });
  },
);

test('a body that does not arrive is hung up on; a form with a file may take longer', async () => {
  const slow = fastify();
  refuseSlowBodies(slow, 50);
  slow.post('/json', async () => ({}));
  slow.addContentTypeParser(
    'multipart/form-data',
    (_request, body, done) => void body.resume().once('end', () => done(null)),
  );
  slow.post('/form', { config: { call: { multipart: {} } } as object }, async () => ({ arrived: true }));
  await slow.listen({ port: 0, host: '127.0.0.1' });
  const { port } = slow.server.address() as { port: number };
  const start = (path: string, type: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 4\r\n\r\n{}`);
    return socket;
  };
  const form = start('/form', 'multipart/form-data; boundary=x');
  await once(start('/json', 'application/json'), 'close');
  form.write('{}');
  const [response] = await once(form, 'data');
  expect(String(response)).toContain('"arrived":true');
  form.destroy();
  await slow.close();
});

/** What a raw connection receives until the other side closes it. */
async function exchangeRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let received = '';
  socket.on('data', (data) => {
    received += String(data);
  });
  socket.write(text);
  await once(socket, 'close');
  return received;
}

describe('what is no request', () => {
  const long = 'x'.repeat(17_000);
  // More than a socket's buffers hold: most of it is unread when the answer is written.
  const unread = 'y'.repeat(4_000_000);
  const CASES: [string, number, string][] = [
    ['an address beyond the limit', 431, `GET /api/item/a?q=${long} HTTP/1.1\r\nhost: x\r\n\r\n`],
    [
      'an address beyond the limit, with a body',
      431,
      `POST /api/item?q=${long} HTTP/1.1\r\nhost: x\r\ncontent-length: ${unread.length}\r\n\r\n${unread}`,
    ],
    ['headers beyond the limit', 431, `GET /api/item/a HTTP/1.1\r\nhost: x\r\nx-long: ${long}\r\n\r\n`],
    ['a line that is not HTTP', 400, 'hello\r\n\r\n'],
    ['a second length', 400, 'POST /api/item HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    [
      'a chunk without a length',
      400,
      'POST /api/item HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
  ];
  test.each(CASES)(
    '(%s) is answered %i with a code of ours, and the connection ends',
    async (_name, status, text) => {
      const plain = await createHttpServer(config);
      plain.post('/api/item', async () => ({}));
      await plain.listen({ port: 0, host: '127.0.0.1' });
      const { port } = plain.server.address() as AddressInfo;
      const received = await exchangeRaw(port, text);
      expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(received.match(/^HTTP/gm)).toHaveLength(1);
      expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({ message: 'INVALID_REQUEST' });
      await plain.close();
    },
  );

  test('does not cut into the answer before it', async () => {
    const plain = await createHttpServer(config);
    plain.get('/api/slow', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('half');
    });
    await plain.listen({ port: 0, host: '127.0.0.1' });
    const { port } = plain.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n');
    const [begun] = await once(socket, 'data');
    expect(String(begun)).toMatch(/^HTTP\/1\.1 200 /);
    let received = '';
    socket.on('data', (data) => {
      received += String(data);
    });
    socket.write('hello\r\n\r\n');
    await once(socket, 'close');
    expect(received).not.toContain('HTTP');
    await plain.close();
  });
});

describe('connections', () => {
  const UPGRADES = ['websocket', 'h2c', 'TLS/1.0, x'];
  test.each(UPGRADES)('that request %s where nothing upgrades are answered and closed', async (what) => {
    for (const options of [{ upgrades: false }, { upgrades: true }]) {
      const plain = await createHttpServer(config, options);
      plain.setNotFoundHandler((_request, reply) => respondMissing(reply));
      // As socket.io does on the members' port.
      if (options.upgrades) plain.server.on('upgrade', () => undefined);
      await plain.listen({ port: 0, host: '127.0.0.1' });
      const { port } = plain.server.address() as AddressInfo;
      const request = `GET /api/x HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${what}\r\n\r\n`;
      expect(await exchangeRaw(port, request)).toMatch(/^HTTP\/1.1 404 /);
      await plain.close();
    }
  });

  test('that request an upgrade do not delay the shutdown of the server', async () => {
    const plain = await createHttpServer(config);
    await plain.listen({ port: 0, host: '127.0.0.1' });
    const { port } = plain.server.address() as AddressInfo;
    const sockets = Array.from({ length: 50 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    for (const socket of sockets)
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    await plain.close();
  });

  test('with half a header are looked for every few seconds', async () => {
    const plain = await createHttpServer(config);
    const { connectionsCheckingInterval, headersTimeout } = plain.server as Server & Record<string, number>;
    expect(headersTimeout).toBe(30_000);
    expect(connectionsCheckingInterval).toBeLessThanOrEqual(5_000);
    await plain.close();
  });
});
