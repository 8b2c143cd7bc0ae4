import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../testing/ports.ts';
import { followClock } from './clock.ts';

test('waits for a followed clock that is not available yet, and uses its time', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/control/clock`;
  const following = followClock(url);
  await expect(fetch(url)).rejects.toThrow();
  const now = '2031-05-04T03:02:01.000Z';
  const sandbox = createServer((_, reply) => reply.end(JSON.stringify({ now, offsetMs: 0, frozen: true })));
  await once(sandbox.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const clock = await following;
  expect(clock.now()).toEqual(new Date(now));
  clock.stop();
});
