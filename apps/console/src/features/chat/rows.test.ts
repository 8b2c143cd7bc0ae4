import { expect, test } from 'vitest';
import { fitting, layOut, type Pending } from './rows.ts';
import type { ChatRow } from './types.ts';

const row = (id: number, createdAt: string, session = '1'): ChatRow => ({
  id: String(id),
  sender: 'customer',
  by: null,
  session,
  createdAt,
  clientId: `c${id}`,
  message: { message_type: 'text', payload: { message: `m${id}` } },
});
const pending = (clientId: string): Pending => ({
  clientId,
  message: { message_type: 'text', payload: { message: 'x' } },
  status: 'sending',
});

test('marks Bangkok’s days and the ends of sessions, oldest first', () => {
  const rows = [
    row(4, '2026-11-21T18:00:00.000Z', '2'),
    row(3, '2026-11-21T17:30:00.000Z', '2'),
    row(2, '2026-11-21T16:00:00.000Z'),
    row(1, '2026-11-21T15:00:00.000Z'),
  ];
  expect(layOut(rows, []).map(({ kind, key }) => (kind === 'line' ? key : kind))).toEqual([
    'day',
    '1',
    '2',
    'end',
    'day',
    '3',
    '4',
  ]);
});

test('a stored message appears once', () => {
  const shown = layOut([row(1, '2026-11-21T15:00:00.000Z')], [pending('c1'), pending('c2')]);
  expect(shown.filter(({ kind }) => kind === 'pending').map(({ key }) => key)).toEqual(['c2']);
});

test('offers replies only behind a slash', () => {
  const canned = [
    { shortcut: 'hello', text: 'สวัสดี' },
    { shortcut: 'wait', text: 'One moment' },
  ];
  expect(fitting(canned, 'hello')).toEqual([]);
  expect(fitting(canned, '/he').map(({ shortcut }) => shortcut)).toEqual(['hello']);
  expect(fitting(canned, '/moment').map(({ shortcut }) => shortcut)).toEqual(['wait']);
  expect(fitting(canned, '/')).toHaveLength(2);
});
