import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LiveConnection, setConnection } from '../../platform/connection.ts';
import { createConversation } from './conversation.ts';
import { createReading } from './reading.ts';
import type { Item } from './state.ts';

const item = (id: number): Item => ({
  _id: String(id),
  sender: 'agent',
  message: { message_type: 'text', payload: { message: `message ${id}` }, deliver: { id: `client-${id}` } },
  userId: '1',
  guestId: null,
  username: null,
  name: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  session_id: '1',
});

/** The ids of the conversation on the server. */
let stored: number[] = [];
/** Runs after a page was read and before it arrives. */
let beforeArrival: () => void = () => undefined;
let isFailing = false;
let leave: () => void = () => undefined;

/** A live connection that the test emits on. */
function createRow() {
  const listeners = new Map<string, (payload?: object) => void>();
  const row = {
    connected: true,
    connect: () => undefined,
    close: () => undefined,
    on(event: string, listener: () => void) {
      listeners.set(event, listener);
      return row;
    },
    off: () => row,
  };
  const emit = async (event: string, payload?: object) => {
    listeners.get(event)?.(payload);
    await vi.advanceTimersByTimeAsync(10);
  };
  return { row, emit };
}

async function open() {
  const { row, emit } = createRow();
  const close = setConnection(row as unknown as LiveConnection);
  const conversation = createConversation(() => undefined);
  const stop = conversation.start();
  leave = () => {
    stop();
    close();
  };
  await vi.advanceTimersByTimeAsync(10);
  const shown = () => conversation.read().items.map(({ _id }) => Number(_id));
  return { row, emit, conversation, shown };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

beforeEach(() => {
  vi.useFakeTimers();
  [stored, isFailing, beforeArrival, leave] = [[], false, () => undefined, () => undefined];
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', {
    hidden: false,
    documentElement: { lang: 'th' },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('fetch', async (address: string | URL, { body }: { body: string }) => {
    if (isFailing) throw new TypeError('no network');
    if (!String(address).endsWith('/history'))
      return Response.json({ unread: 0, isOpen: true, readUpTo: null });
    const { limit, skip } = JSON.parse(body);
    const page = stored.toSorted((a, b) => b - a).slice(skip, skip + limit);
    beforeArrival();
    return Response.json(page.map(item));
  });
});
afterEach(() => {
  leave();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('shows the messages that a merge moved between and before those shown', async () => {
  stored = [20, 30, 40];
  const { emit, shown, conversation } = await open();
  stored = [...range(1, 14), 20, 25, 30, 35, 40];
  await emit('chat', { kind: 'merged' });
  expect(shown()).toEqual([...range(10, 14), 20, 25, 30, 35, 40]);
  await conversation.loadEarlier();
  expect([shown(), conversation.read().hasEarlier]).toEqual([stored, false]);
});

test('shows all that a merge moved after the oldest message shown, however much it is', async () => {
  stored = [1, 100];
  const { emit, shown } = await open();
  stored = range(1, 100);
  await emit('chat', { kind: 'merged' });
  expect(shown()).toEqual(stored);
});

test('shows what was merged while the connection was lost', async () => {
  stored = [20, 30];
  const { row, emit, shown } = await open();
  row.connected = false;
  await emit('disconnect');
  stored = [20, 25, 30];
  row.connected = true;
  await emit('connect');
  expect(shown()).toEqual(stored);
});

test('a merge whose messages could not be read is read at the next occasion', async () => {
  stored = [20, 30];
  const { emit, shown, conversation } = await open();
  stored = [20, 25, 30];
  isFailing = true;
  await emit('chat', { kind: 'merged' });
  isFailing = false;
  await conversation.catchUp();
  expect(shown()).toEqual(stored);
});

test('what a guest sees stays when an operator merged their conversation away', async () => {
  stored = [20, 30];
  const { emit, shown, conversation } = await open();
  stored = [];
  await emit('chat', { kind: 'merged' });
  expect([shown(), conversation.read().hasEarlier]).toEqual([[20, 30], false]);
});

test('catches up on a message that was stored after its page was read and whose event was lost', async () => {
  stored = range(1, 3);
  const { emit, shown, conversation } = await open();
  // 4 is stored after the page was read, its event is lost, and the event of 5 arrives before the page.
  beforeArrival = () => {
    beforeArrival = () => undefined;
    stored.push(4, 5);
    void emit('messaging', item(5));
  };
  await conversation.catchUp();
  expect(shown()).toEqual([1, 2, 3, 5]);
  await conversation.catchUp();
  expect(shown()).toEqual(stored);
});

test('after a merge what is seen is reported again, and nothing before it is seen', async () => {
  const reported: string[] = [];
  const reading = createReading(async (upTo) => reported.push(upTo));
  const pass = () => vi.advanceTimersByTimeAsync(5_000);
  reading.seen('40');
  await pass();
  reading.again();
  await pass();
  expect(reported).toEqual(['40']);
  reading.seen('40');
  await pass();
  expect(reported).toEqual(['40', '40']);
  // A report that is due is sent.
  reading.seen('50');
  reading.again();
  await pass();
  expect(reported).toEqual(['40', '40', '50']);
});
