import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import type { Connections } from './connections.ts';
import { createHttpServer } from './server.ts';
import { createStallCheck } from './stalled-readers.ts';

/** More than the connection's buffers hold. */
const CHUNK = Buffer.alloc(512 * 1024);
const CHUNKS = 64;
const config = readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' });
const app = await createHttpServer(config, { stalledMs: 100 });
let closed = 0;
app.addHook('onRequest', (_request, reply, done) => {
  reply.raw.once('close', () => closed++);
  done();
});
app.get('/api/film', (_request, reply) => reply.send(Readable.from(Array(CHUNKS).fill(CHUNK))));
app.get('/api/picture', (_request, reply) => reply.send(Buffer.concat(Array(CHUNKS).fill(CHUNK))));
app.get('/api/list', async () => ({ text: 'x'.repeat(CHUNKS * CHUNK.length) }));
app.get('/api/live', (_request, reply) => {
  reply.hijack();
  for (let n = 0; n < CHUNKS; n++) reply.raw.write(CHUNK);
});
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());
const { port } = app.server.address() as AddressInfo;

test.each(['film', 'picture', 'list', 'live'])(
  'a reader who stalls at a %s is disconnected',
  async (what) => {
    const before = closed;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET /api/${what} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    await expect.poll(() => closed - before).toBe(1);
    socket.destroy();
  },
);

test('a reader who takes little at a time is not disconnected, one who has nothing to take neither', async () => {
  const connections: Connections = new Map();
  const server = createServer(
    (_request, response) => void response.end(Buffer.concat(Array(CHUNKS).fill(CHUNK))),
  );
  onTestFinished(() => void server.close());
  server.on('connection', (socket) => connections.set(socket, new Set()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const open = () =>
    connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const [idle, reader] = [open(), open()];
  const check = createStallCheck(connections);
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  let received = 0;
  reader.on('data', (data) => {
    received += data.length;
  });
  const take = async (bytes: number) => {
    const before = received;
    reader.resume();
    while (received - before < bytes) await once(reader, 'data');
    reader.pause();
  };
  // More than the buffers hold, so that the server sends on.
  for (let round = 0; round < 4; round++) {
    await take(6 * 1024 * 1024);
    check();
  }
  const sockets = [...connections.keys()];
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  check();
  check();
  expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  idle.destroy();
  reader.destroy();
});
