import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { createBudget } from '../budget.ts';
import { beginDownload } from './download.ts';

const budget = createBudget({ name: 'downloads', max: 5 });
const app = fastify();
let ended = 0;
async function* endless() {
  try {
    for (;;) {
      await pause(1);
      yield Buffer.alloc(65_536);
    }
  } finally {
    ended++;
  }
}
let totalMs: number | undefined;
app.get('/file', (_request, reply) => {
  beginDownload(reply, budget, 'caller', totalMs);
  return reply.send(Readable.from(endless()));
});
app.get('/small', (_request, reply) => {
  beginDownload(reply, budget, 'caller', totalMs);
  return reply.send('all of it');
});
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());
const { port } = app.server.address() as AddressInfo;

const request = () => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write('GET /file HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
};

test('a reader who never finishes is cut off in the end', async () => {
  totalMs = 300;
  const before = ended;
  const socket = request().resume();
  await once(socket, 'close');
  await expect.poll(() => [budget.used(), ended - before]).toEqual([0, 1]);
});

test('a reader who leaves gives the place back, as one does who has everything', async () => {
  totalMs = undefined;
  const before = ended;
  const socket = request();
  await once(socket, 'data');
  expect(budget.used()).toBe(1);
  socket.destroy();
  await expect.poll(() => [budget.used(), ended - before]).toEqual([0, 1]);
  const reply = await fetch(`http://127.0.0.1:${port}/small`);
  expect(await reply.text()).toBe('all of it');
  await expect.poll(() => budget.used()).toBe(0);
});
