import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LiveConnection, onConnection, setConnection } from '../../platform/connection.ts';
import { createConversation } from './conversation.ts';
import { openGuestConnection } from './guest-line.ts';
import { createSending } from './sending.ts';
import { createStore } from './store.ts';

/** Uploads of this page, as the browser would carry them. */
class Request {
  static all: Request[] = [];
  status = 0;
  responseText = '';
  timeout = 0;
  address = '';
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  ontimeout?: () => void;
  onabort?: () => void;
  constructor() {
    Request.all.push(this);
  }
  open(_method: string, address: string) {
    this.address = address;
  }
  setRequestHeader() {}
  send() {}
  abort() {
    this.onabort?.();
  }
  response(body: object, status = 200) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

const requested: string[] = [];
const replyOf = (address: string): object => {
  if (address.endsWith('/history')) return [];
  if (address.endsWith('/config')) return { PREFIX: 'chat' };
  if (address.endsWith('/unread')) return { unread: 0, isOpen: true, readUpTo: null };
  return { _id: '7', createdAt: '2026-11-21T10:00:00.000Z', session_id: '1' };
};
const timesRequested = (what: string) => requested.filter((address) => address.endsWith(what)).length;

beforeEach(() => {
  vi.useFakeTimers();
  requested.length = 0;
  Request.all = [];
  vi.stubGlobal('XMLHttpRequest', Request);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', {
    hidden: false,
    documentElement: { lang: 'th' },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('fetch', async (address: string | URL) => {
    requested.push(String(address));
    return Response.json(replyOf(String(address)));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a file on its way', () => {
  const film = new File(['film'], 'how.mp4', { type: 'video/mp4' });
  function sendFilm() {
    const store = createStore();
    const failures: unknown[] = [];
    const sending = createSending(store, (error) => failures.push(error));
    sending.file(film);
    return { sending, failures, states: () => store.read().pending, items: () => store.read().items };
  }

  test('has five minutes, reports its progress, and is sent as a message once uploaded', async () => {
    const { states, items } = sendFilm();
    const [request] = Request.all;
    expect(request).toMatchObject({ timeout: 300_000 });
    expect(request!.address).toMatch(/\/api\/chat\/upload-video$/);
    request!.upload.onprogress?.({ loaded: 1, total: 4 });
    expect(states()).toMatchObject([{ status: 'uploading_file', share: 0.25 }]);
    request!.response({ path: '/api/file/x' });
    await vi.advanceTimersByTimeAsync(10);
    expect(states()).toEqual([]);
    expect(items()).toMatchObject([{ _id: '7', message: { payload: { filePath: '/api/file/x' } } }]);
  });

  test('is cancelled when the customer stops it, without a message', async () => {
    const { sending, failures, states } = sendFilm();
    sending.remove(states()[0]!.id);
    await vi.advanceTimersByTimeAsync(10);
    expect([states(), failures, timesRequested('/send-message')]).toEqual([[], [], 0]);
  });

  test.each(['onerror', 'ontimeout'] as const)(
    'fails by %s, and goes up anew when sent again',
    async (way) => {
      const { sending, failures, states, items } = sendFilm();
      Request.all[0]![way]?.();
      await vi.advanceTimersByTimeAsync(10);
      expect(states()).toMatchObject([{ status: 'failed' }]);
      expect(failures).toMatchObject([{ code: 'network' }]);
      sending.resend(states()[0]!.id);
      Request.all[1]!.response({ path: '/api/file/x' });
      await vi.advanceTimersByTimeAsync(10);
      expect([states(), items().length, timesRequested('/send-message')]).toEqual([[], 1, 1]);
    },
  );

  test('whose kind the server refuses is not offered to be sent again', async () => {
    const { states, failures } = sendFilm();
    Request.all[0]!.response({ message: 'CHAT_FILE_UNSUPPORTED' }, 400);
    await vi.advanceTimersByTimeAsync(10);
    expect(states()).toMatchObject([{ status: 'refused' }]);
    expect(failures).toMatchObject([{ code: 'CHAT_FILE_UNSUPPORTED' }]);
  });
});

test('a lost connection is retried every five seconds, and the history is polled meanwhile', async () => {
  const row = { connected: true, connect: vi.fn(), close: vi.fn(), on: () => row, off: () => row };
  const close = setConnection(row as unknown as LiveConnection);
  const conversation = createConversation(() => undefined);
  const stop = conversation.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([row.connect.mock.calls.length, timesRequested('/history'), conversation.read().isLost]).toEqual([
    0,
    1,
    false,
  ]);
  row.connected = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect([row.connect.mock.calls.length, timesRequested('/history'), conversation.read().isLost]).toEqual([
    1,
    2,
    true,
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([row.connect.mock.calls.length, timesRequested('/history')]).toEqual([3, 4]);
  stop();
  close();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(row.connect).toHaveBeenCalledTimes(3);
});

test('a visitor’s connection reconnects half a second after each loss', async () => {
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:9' });
  const close = await openGuestConnection();
  let row: LiveConnection | undefined;
  const leave = onConnection((next) => {
    row = next;
    return () => undefined;
  });
  expect([row!.io.reconnectionDelay(), row!.io.reconnectionAttempts()]).toEqual([
    500,
    Number.POSITIVE_INFINITY,
  ]);
  leave();
  close();
});
