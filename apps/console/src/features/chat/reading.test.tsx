import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queries } from '../../platform/api.ts';
import { CHAT, headOf } from '../../testing/chat.ts';
import { consoleApp, MEMBER } from '../../testing/console-app.tsx';
import { AT } from '../../testing/withdrawal.ts';
import { Conversation } from './conversation.tsx';

const HEAD = 'GET /api/operator/chats/{id}';
const ROWS = 'GET /api/operator/chats/{id}/messages';
const READ = 'POST /api/operator/chats/{id}/read';
const app = await consoleApp();
let isHidden = false;

const messageOf = (id: string) => ({
  id,
  sender: 'customer' as const,
  by: null,
  session: '1',
  createdAt: AT,
  clientId: `client-${id}`,
  message: { message_type: 'text' as const, payload: { message: `message ${id}` } },
});
/** The conversation as it is read from now on: its messages, newest first, and how many of them are unread. */
async function receive(unread: number, ...ids: string[]) {
  app.reply(HEAD, headOf({ ...CHAT, unread }));
  app.reply(ROWS, { messages: ids.map(messageOf) });
  await act(() => queries.invalidateQueries({ queryKey: ['chat'] }));
}
const show = (hidden: boolean) => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(async () => {
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  isHidden = false;
  app.reply('GET /api/operator/canned', { canned: [] });
  app.reply('GET /api/operator/macros', { macros: [] });
  app.reply(READ, { message: 'OK' });
  app.reply(HEAD, headOf(CHAT));
  app.reply(ROWS, { messages: [messageOf('1')] });
  app.show(<Conversation id={CHAT.id} />, '/chats', ['chat.read', 'chat.answer']);
  await screen.findByRole('region', { name: MEMBER.name });
  await screen.findByText('message 1');
});
afterEach(() => {
  vi.restoreAllMocks();
});

const reports = () => app.received(READ).length;

test('a message that arrives while the page is hidden is read when it is shown again', async () => {
  show(true);
  await receive(1, '2', '1');
  await screen.findByText('message 2');
  expect(reports()).toBe(0);
  show(false);
  await waitFor(() => expect(reports()).toBeGreaterThan(0));
  await receive(0, '2', '1');
  const before = reports();
  show(true);
  show(false);
  expect(reports()).toBe(before);
});

test('messages are reported again while some are unread', async () => {
  await receive(1, '2', '1');
  await waitFor(() => expect(reports()).toBeGreaterThan(0));
  const before = reports();
  await receive(1, '3', '2', '1');
  await waitFor(() => expect(reports()).toBeGreaterThan(before));
});
