import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { callPartner, notifyPartner } from './partner.ts';

const MEGABYTE = 1024 * 1024;
let respond: (reply: ServerResponse) => void = () => undefined;
const server = createServer((_request, reply) => respond(reply));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const request = () => callPartner({ url, method: 'GET', timeoutMs: 30_000 });

test('an answer without end is given up after a megabyte, not read to the deadline', async () => {
  let written = 0;
  const ended = new Promise<void>((resolve) => {
    respond = (reply) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const more = () => {
        while (!reply.destroyed && reply.write(chunk)) written += chunk.length;
      };
      reply.on('drain', more).once('close', resolve);
      more();
    };
  });
  expect(await request()).toEqual({ answered: false, note: 'answer too long' });
  await ended;
  // What is on the way when the line is cut, and no more.
  expect(written).toBeLessThan(50 * MEGABYTE);
});

test('one that is small only on its way is measured as it is unpacked', async () => {
  respond = (reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * MEGABYTE, ' ')));
  expect(await request()).toEqual({ answered: false, note: 'answer too long' });
});

test('one of the allowed length is read whole', async () => {
  respond = (reply) => reply.end(JSON.stringify({ note: 'ก'.repeat(300_000) }));
  expect(await request()).toEqual({ answered: true, status: 200, json: { note: 'ก'.repeat(300_000) } });
});

test('a partner whose address was removed gives no answer, instead of an exception', async () => {
  const call = { url: '/agent/v1/credit', method: 'POST', timeoutMs: 1_000 } as const;
  expect(await callPartner(call)).toEqual({ answered: false, note: 'no address' });
  expect(await notifyPartner(call)).toEqual({ answered: false, note: 'no address' });
});
