import { describe, expect, test, vi } from 'vitest';
import { kindOfFile } from './file-rules.ts';
import { linkOf, viewOf } from './message-view.ts';
import { createReading } from './reading.ts';
import { rowsOf } from './rows.ts';
import { textProblem } from './sending.ts';
import { countNew, EMPTY, type Item, type Pending, withItems, withPending, withStamp } from './state.ts';

const DAY = '2026-11-21T10:00:0';
const item = (id: number, more: Partial<Item> = {}): Item => ({
  _id: String(id),
  sender: 'agent',
  message: { message_type: 'text', payload: { message: `word ${id}` }, deliver: { id: `c-${id}` } },
  userId: null,
  guestId: null,
  username: null,
  name: 'Som',
  createdAt: `${DAY}${id % 10}.000Z`,
  session_id: '1',
  ...more,
});
const pending: Pending = {
  id: 'c-12',
  message: { message_type: 'text', payload: { message: 'mine' } },
  status: 'sending',
  share: 0,
};
const ids = (items: readonly Item[]) => items.map(({ _id }) => _id);

describe('messages', () => {
  test('appears once and in the server’s order, in any order of arrival', () => {
    const late = withItems(EMPTY, [item(11), item(9)]);
    const all = withItems(late, [item(10), item(9), item(8)]);
    expect(ids(all.items)).toEqual(['8', '9', '10', '11']);
    expect(ids(withItems(all, [item(100)]).items).at(-1)).toBe('100');
  });

  test('known messages stay as they are; a fresh reading replaces them', () => {
    const known = item(1);
    const state = withItems(EMPTY, [known]);
    expect(withItems(state, [item(1)]).items[0]).toBe(known);
    expect(withItems(state, [item(1)], true).items[0]).not.toBe(known);
  });

  test('a message on its way is one message, for either order of its event and its response', () => {
    const state = { ...EMPTY, pending: [pending] };
    const received = withItems(state, [item(12, { sender: 'customer' })]);
    expect([received.items.length, received.pending.length]).toEqual([1, 0]);
    const stamp = { _id: '12', createdAt: `${DAY}5.000Z`, session_id: '1' };
    const answered = withStamp(state, pending, stamp);
    expect([answered.items.length, answered.pending.length]).toEqual([1, 0]);
    expect(answered.items[0]).toMatchObject({ createdAt: stamp.createdAt, sender: 'customer' });
    expect(withStamp(received, pending, stamp).items).toHaveLength(1);
  });

  test('one that failed stays until it is sent again or removed', () => {
    const failed = withPending({ ...EMPTY, pending: [pending] }, 'c-12', { status: 'failed' });
    expect(withItems(failed, [item(13)]).pending).toMatchObject([{ id: 'c-12', status: 'failed' }]);
    expect(withPending(failed, 'c-12', null).pending).toEqual([]);
  });

  test('agents’ words after the last one seen are new', () => {
    const items = [item(9), item(10, { sender: 'customer' }), item(11), item(12)];
    expect([countNew(items, '9'), countNew(items, '12'), countNew(items, '2')]).toEqual([2, 0, 3]);
  });
});

describe('rows', () => {
  const kinds = (items: Item[], ended: string | null = null) => rowsOf(items, ended).map(({ kind }) => kind);

  test('a separator a day in Bangkok', () => {
    const items = [
      item(1, { createdAt: '2026-11-21T16:59:59Z' }),
      item(2, { createdAt: '2026-11-21T17:00:00Z' }),
    ];
    expect(rowsOf(items, null).filter((row) => row.kind === 'day')).toMatchObject([
      { day: '21/11/2026' },
      { day: '22/11/2026' },
    ]);
  });

  test('an ended session is marked once: at the foot, then before the next one', () => {
    const first = [item(1), item(2)];
    expect(kinds(first)).toEqual(['day', 'item', 'item']);
    expect(kinds(first, '1')).toEqual(['day', 'item', 'item', 'end']);
    expect(kinds([...first, item(3, { session_id: '2' })], '1')).toEqual([
      'day',
      'item',
      'item',
      'end',
      'item',
    ]);
  });

  test('the time is below the last of several by one sender; replies are offered until the customer writes', () => {
    const items = [item(1), item(2), item(3, { sender: 'customer' }), item(4)];
    const rows = rowsOf(items, null).filter((row) => row.kind === 'item');
    expect(rows.map(({ isLast }) => isLast)).toEqual([false, true, true, true]);
    expect(rows.map(({ hasReplies }) => hasReplies)).toEqual([false, false, false, true]);
  });
});

describe('kinds', () => {
  test('a postback shows its title, also one in JSON', () => {
    const tap = (payload: object) => viewOf({ message_type: 'postback', payload });
    expect(tap({ title: 'Yes', message: 'YES' })).toEqual({ kind: 'text', text: 'Yes' });
    expect(tap({ title: '', message: '{"title":"Maybe"}' })).toEqual({ kind: 'text', text: 'Maybe' });
    expect(tap({ title: '', message: 'NO' })).toEqual({ kind: 'text', text: 'NO' });
  });

  test('treats an unknown kind or malformed message as unknown or empty', () => {
    for (const message of [
      null,
      'x',
      { message_type: 'hologram' },
      { message_type: 'text' },
      { message_type: 'text', payload: 7 },
    ])
      expect(viewOf(message)).toEqual({ kind: 'unknown' });
    expect(viewOf({ message_type: 'generic', payloads: 'x' })).toEqual({ kind: 'cards', cards: [] });
    expect(
      viewOf({ message_type: 'buttons', payload: { buttons: [null, {}, { title: 'a', type: 'spin' }] } }),
    ).toEqual({ kind: 'buttons', text: '', buttons: [{ title: 'a', type: 'other', payload: '' }] });
  });

  test('buttons lead to https, the telephone or the app, and nowhere else', () => {
    const link = (type: 'web' | 'call' | 'postback' | 'other', payload: string) =>
      linkOf({ title: 'x', type, payload });
    expect(link('web', '/user/statement')).toBe('/user/statement');
    expect(link('web', 'https://example.com')).toBe('https://example.com');
    expect([link('call', '02 123 4567'), link('call', 'tel:+6621234567')]).toEqual([
      'tel:021234567',
      'tel:+6621234567',
    ]);
    for (const payload of [
      'javascript:alert(1)',
      '//evil.example',
      'http://plain.example',
      'data:text/html,x',
      'tel:1',
    ])
      expect(link('web', payload)).toBeNull();
    expect([link('call', 'javascript:1'), link('postback', '/a'), link('other', '/a')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

test('a text is neither blank nor longer than 2000 characters after trimming', () => {
  expect([textProblem(' \n '), textProblem('x'), textProblem(` ${'ก'.repeat(2000)} `)]).toEqual([
    'blank',
    null,
    null,
  ]);
  expect([textProblem('😀'.repeat(2000)), textProblem('x'.repeat(2001))]).toEqual([null, 'long']);
});

test('files need a known extension and fit their kind’s limit', () => {
  const kind = (name: string, megabytes = 1) => kindOfFile({ name, size: megabytes * 1024 * 1024 });
  expect([kind('A.PNG', 10), kind('b.jpeg'), kind('c.gif'), kind('d.MOV', 20), kind('e.mp4')]).toEqual([
    'image',
    'image',
    'image',
    'video',
    'video',
  ]);
  for (const name of ['slip.pdf', 'png', 'x.svg', 'png.'])
    expect(() => kind(name)).toThrow('CHAT_FILE_UNSUPPORTED');
  expect(() => kind('a.png', 11)).toThrow('CHAT_FILE_TOO_LARGE');
  expect(() => kind('a.mp4', 21)).toThrow('CHAT_FILE_TOO_LARGE');
});

describe('reading', () => {
  test('a burst is sent once after a second; what arrives meanwhile, once more, and never two at a time', async () => {
    vi.useFakeTimers();
    let finish = () => {};
    const notify = vi.fn((_upTo: string) => new Promise<void>((done) => (finish = done)));
    const reading = createReading(notify);
    for (let id = 1; id <= 10; id++) reading.seen(String(id));
    await vi.advanceTimersByTimeAsync(999);
    expect(notify).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    reading.seen('11');
    await vi.advanceTimersByTimeAsync(5000);
    expect(notify.mock.calls).toEqual([['10']]);
    finish();
    await vi.advanceTimersByTimeAsync(1000);
    expect(notify.mock.calls).toEqual([['10'], ['11']]);
    finish();
    await vi.advanceTimersByTimeAsync(5000);
    reading.seen('11');
    await vi.advanceTimersByTimeAsync(5000);
    expect(notify).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  test('a panel that closes tells at once', () => {
    const notify = vi.fn(async () => undefined);
    const reading = createReading(notify);
    reading.flush();
    reading.seen('1');
    reading.flush();
    expect(notify).toHaveBeenCalledTimes(1);
  });
});
