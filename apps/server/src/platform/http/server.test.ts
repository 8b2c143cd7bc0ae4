import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { answerMissing, createHttpServer } from './server.ts';

const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
app.post('/api/thing', async () => ({}));
app.get('/api/thing/:name', async () => ({}));
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
