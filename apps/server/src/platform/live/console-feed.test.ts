import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify, { type FastifyReply } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { CONSOLE_HEADERS, operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { openConsoleFeed } from './console-feed.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [support, marketing] = await Promise.all(
  ['support', 'marketing'].map((role) => operators.operator(role)),
);
const address = await env.app.consoleHttp.listen({ port: 0, host: '127.0.0.1' });

const FUNDS = { amountMinor: 100_000n };
const withdraw = ({ token }: { token: string }) =>
  env.call('POST', '/api/wallet/withdraw', { amount: 500 }, { token });
const changes = (text: string, id: bigint): number => text.split(`"arrival":"members ${id}"`).length - 1;

const stream = (as: TestOperator, signal: AbortSignal) =>
  fetch(`${address}/api/operator/live`, { headers: { ...CONSOLE_HEADERS, cookie: as.cookie }, signal });

/** Opens the stream of a console that shows a member; the answer reads on until `isEnough`, and returns all events received. */
async function follow(as: TestOperator, memberId: bigint) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const stream = await fetch(`${address}/api/operator/live?member=${memberId}`, {
    headers: { ...CONSOLE_HEADERS, cookie: as.cookie },
    signal: stop.signal,
  });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  return async (isEnough: (received: string) => boolean): Promise<string> => {
    while (!isEnough(received)) received += (await reader.read()).value;
    return received;
  };
}

test('a console that shows a member receives events of their money, and of no other member', async () => {
  const [member, other] = [await env.member(FUNDS), await env.member(FUNDS)];
  const read = await follow(support!, member.id);
  await read((received) => changes(received, member.id) === 1);
  await withdraw(other);
  await withdraw(member);
  const received = await read((text) => changes(text, member.id) === 2);
  expect(changes(received, other.id)).toBe(0);
});

test('it receives events of a colleague’s actions on the member', async () => {
  const member = await env.member();
  const read = await follow(support!, member.id);
  await read((received) => changes(received, member.id) === 1);
  const note = { text: 'called about a slip' };
  await operators.call(support!, 'POST', `/api/operator/members/${member.id}/notes`, note);
  await read((received) => changes(received, member.id) === 2);
});

test('an operator without access to members receives no member events', async () => {
  const member = await env.member(FUNDS);
  const read = await follow(marketing!, member.id);
  await withdraw(member);
  await env.owner.query("select pg_notify('console', 'wheels')");
  expect(changes(await read((received) => received.includes('wheels')), member.id)).toBe(0);
});

test('an operator has 20 streams, others have theirs, and none counts as a pending call', async () => {
  const [one, other] = [await operators.operator('support'), await operators.operator('support')];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const opened = await Promise.all(Array.from({ length: 22 }, () => stream(one, stop.signal)));
  const refused = opened.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(await refused[0]!.json()).toMatchObject({ message: 'REQUEST_LIMIT' });
  expect((await stream(other, stop.signal)).status).toBe(200);
  const { consoleStreams, operatorCalls } = env.app.deps.budgets;
  await expect.poll(() => operatorCalls.used()).toBe(0);
  stop.abort();
  await expect.poll(() => consoleStreams.used()).toBe(0);
});

/** A feed with its consoles' responses, and the number of those that are gone. */
async function feedOf(options: { beatMs?: number } = {}) {
  const feed = openConsoleFeed(env.pool, options);
  const app = fastify();
  const replies: FastifyReply[] = [];
  let closed = 0;
  app.get('/live', (_request, reply) => {
    replies.push(reply);
    reply.raw.once('close', () => closed++);
    feed.join(reply, async () => true, null);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await feed.close();
    await app.close();
  });
  await until(async () => feed.isHearing());
  return {
    feed,
    replies,
    closed: () => closed,
    async open(): Promise<Socket> {
      const { port } = app.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.write('GET /live HTTP/1.1\r\nhost: x\r\n\r\n');
      await once(socket, 'data');
      return socket;
    },
    /** Sends more than the buffers of a connection hold. */
    fill: () =>
      env.owner.query("select pg_notify('console', repeat('x', 7000) || n) from generate_series(1, 2000) n"),
  };
}

test('a console that does not read is disconnected at a beat', async () => {
  // Long enough for a reader on a busy machine to take what fills the buffers.
  const { open, fill, closed } = await feedOf({ beatMs: 1_000 });
  const reader = (await open()).resume();
  (await open()).pause();
  await fill();
  await expect.poll(closed).toBe(1);
  expect(reader.destroyed).toBe(false);
});

test('a console that does not read is disconnected when its stream ends', async () => {
  const { open, fill, closed, feed, replies } = await feedOf();
  (await open()).pause();
  await fill();
  await expect.poll(() => replies[0]?.raw.writableNeedDrain).toBe(true);
  await feed.close();
  await expect.poll(closed).toBe(1);
});
