import { SCREEN_EVENTS } from '@krapao/contract/member';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.disconnect();
});

const faults: unknown[] = [];
const onFault = (error: unknown) => void faults.push(error);
// With a listener the process of this test lives on; a server has none and would end.
beforeAll(() => void process.on('uncaughtException', onFault).on('unhandledRejection', onFault));
afterAll(() => void process.off('uncaughtException', onFault).off('unhandledRejection', onFault));

/** A socket of a member, or of a guest without a token. */
async function connect(auth: unknown = {}, namespace = ''): Promise<Socket> {
  const options = { transports: ['websocket'], reconnection: false, forceNew: true };
  const socket = io(env.url + namespace, { ...options, auth: auth as Record<string, unknown> });
  open.push(socket);
  await new Promise((resolve) => socket.once('connect', () => resolve(null)).once('connect_error', resolve));
  return socket;
}

const deep = (levels: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value };
  return value;
};

/** Arguments no event takes. */
const HOSTILE: [string, unknown[]][] = [
  ['an object that is no text', [{ toString: 1 }]],
  ['an object whose conversions are data', [{ toString: { call: 1 }, valueOf: null, length: 1 }]],
  ['null', [null]],
  ['a number', [1e308]],
  ['an array', [['krapao-1']]],
  ['deep nesting', [deep(500)]],
  ['a long text', ['x'.repeat(10_000)]],
  ['a prototype', [JSON.parse('{"__proto__":{"toString":1},"constructor":{"prototype":null}}')]],
  ['bytes', [new Uint8Array([0, 255, 1])]],
  ['too many arguments', ['krapao-1', 'krapao-2', 'krapao-3']],
];
const UNKNOWN = ['error', 'tell', 'toString', '__proto__', 'constructor', 'hasOwnProperty', 'data', ''];
const EVENTS = [...Object.keys(SCREEN_EVENTS), ...UNKNOWN];

async function expectAlive(socket: Socket): Promise<void> {
  expect(await socket.timeout(5_000).emitWithAck('typing')).toEqual({ message: 'OK' });
  expect(socket.connected).toBe(true);
  expect((await env.call('GET', '/healthz')).status).toBe(200);
  expect(faults).toEqual([]);
}

describe.each(['guest', 'member'])('a %s', (who) => {
  test.each(EVENTS)(
    'who sends “%s” with hostile arguments is refused, and the server goes on',
    async (event) => {
      const socket = await connect(who === 'member' ? { token: (await env.member()).token } : {});
      for (const [what, args] of HOSTILE) {
        const response = await socket.timeout(5_000).emitWithAck(event, ...args);
        expect([what, response]).toEqual([what, { message: 'INVALID_REQUEST' }]);
      }
      await expectAlive(socket);
    },
  );

  test.each(EVENTS)('“%s” without an acknowledgement is answered by an event', async (event) => {
    const socket = await connect(who === 'member' ? { token: (await env.member()).token } : {});
    const errors: unknown[] = [];
    socket.on('event_error', (body) => errors.push(body));
    for (const [, args] of HOSTILE) socket.emit(event, ...args);
    await expect.poll(() => errors).toEqual(HOSTILE.map(() => ({ message: 'INVALID_REQUEST' })));
    await expectAlive(socket);
  });
});

test('a handler that fails is answered, and the server goes on', async () => {
  const guest = await connect();
  expect(await guest.emitWithAck('join', 'krapao-a-guest-of-22-letters-x')).toEqual({ message: 'OK' });
  await env.owner.query('alter table chat_conversation rename to chat_conversation_away');
  const response = await guest.timeout(5_000).emitWithAck('typing');
  await env.owner.query('alter table chat_conversation_away rename to chat_conversation');
  expect(response).toEqual({ message: 'INTERNAL_SERVER_ERROR' });
  await expectAlive(guest);
});

test('an identity of another shape is refused with a code', async () => {
  for (const auth of [{ token: { toString: 1 } }, { token: ['x'] }, { token: 7 }, { token: deep(100) }]) {
    const options = { transports: ['websocket'], reconnection: false, forceNew: true, auth };
    const socket = io(env.url, options);
    open.push(socket);
    const refused = await new Promise<Error & { data?: unknown }>((resolve) =>
      socket.once('connect_error', resolve),
    );
    expect(refused.data).toEqual({ code: 'invalid-token' });
  }
  await expectAlive(await connect());
});

test('another namespace than the declared one is refused', async () => {
  const elsewhere = await connect({}, '/admin');
  expect(elsewhere.connected).toBe(false);
  await expectAlive(await connect());
});

test('more events than a screen sends are refused', async () => {
  const socket = await connect();
  const responses = await Promise.all(Array.from({ length: 200 }, () => socket.emitWithAck('typing')));
  expect(responses).toContainEqual({ message: 'REQUEST_LIMIT' });
  expect(responses[0]).toEqual({ message: 'OK' });
  await expectAlive(await connect());
});
