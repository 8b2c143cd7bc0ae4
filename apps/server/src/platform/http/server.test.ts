import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { ImagesBusy } from '../images/images.ts';
import { PasswordsBusy } from '../passwords.ts';
import { answerMissing, createHttpServer, refuseSlowBodies } from './server.ts';

const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
app.post('/api/thing', async () => ({}));
app.get('/api/thing/:name', async () => ({}));
app.get('/api/busy/:what', async ({ params }) => {
  const { what } = params as { what: 'passwords' | 'pictures' };
  throw what === 'passwords' ? new PasswordsBusy('full') : new ImagesBusy(what);
});
app.setNotFoundHandler((_request, reply) => answerMissing(reply));

test.each([
  ['a broken address', '/api/thing/%zz'],
  ['a name far too long', `/api/thing/${'x'.repeat(300)}`],
])('%s is refused without being repeated', async (_name, url) => {
  const reply = await app.inject({ method: 'GET', url });
  expect(reply.statusCode).toBeGreaterThanOrEqual(400);
  expect(reply.statusCode).toBeLessThan(500);
  expect(Object.keys(reply.json())).toEqual(['message']);
  expect(reply.body).not.toContain('zz');
});

test.each(['passwords', 'pictures'])(
  'where too many %s wait, a caller is told when to come back',
  async (what) => {
    const reply = await app.inject({ method: 'GET', url: `/api/busy/${what}` });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(reply.json()).toEqual({
      message: 'INTERNAL_SERVER_ERROR',
      data: { requestId: expect.any(String) },
    });
  },
);

test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])(
  'a body of %s is 415',
  async (type) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/thing',
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
  const [answer] = await once(form, 'data');
  expect(String(answer)).toContain('"arrived":true');
  form.destroy();
  await slow.close();
});
