import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startSession } from '../../platform/session.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import ChatPanel from './chat-panel.tsx';
import { isGuest } from './who.ts';

const app = await memberApp();
const HISTORY = 'POST /api/chat/history';
const SEND = 'POST /api/chat/send-message';
const UNREAD = 'POST /api/chat/unread';

/** The token of each call so far, as fetch was given it. */
function watchTokens(): (string | undefined)[] {
  const tokens: (string | undefined)[] = [];
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init: { headers: Record<string, string> }) => {
    if (/\/api\/chat\/(history|send)/.test(address)) tokens.push(init.headers.Authorization);
    return real(address, init as never);
  });
  return tokens;
}

test('a suspended member, whom the server refuses, reaches support as a guest without their token', async () => {
  const tokens = watchTokens();
  startSession('suspended', true);
  app.reply('GET /api/chat/config', { PREFIX: 'chat', isOnline: true, hours: [], answerMinutes: null });
  app.reply(UNREAD, { unread: 0, isOpen: false, readUpTo: null });
  app.reply(SEND, { _id: '7', createdAt: '2026-11-21T10:00:00Z', session_id: '1' });
  app.refuse(HISTORY, 'INACTIVE_USER', {}, 403);
  const letThrough = app.hold(HISTORY);
  app.show(<ChatPanel isOpen about="" onClose={() => undefined} />);
  await waitFor(() => expect(app.received(HISTORY)).toHaveLength(1));
  letThrough();
  await waitFor(() => expect(app.received(HISTORY)).toHaveLength(2));
  expect(isGuest()).toBe(true);
  fireEvent.change(screen.getByPlaceholderText(text('chat.placeholder')), { target: { value: 'why?' } });
  fireEvent.click(screen.getByRole('button', { name: text('chat.send') }));
  await waitFor(() => expect(app.received(SEND)).toHaveLength(1));
  expect(app.received(SEND)[0]!.body).toMatchObject({ guestId: localStorage.getItem('guest-id') });
  expect(tokens).toEqual(['Bearer suspended', undefined, undefined]);
  // Who is signed in afterwards is a member again.
  startSession('another', true);
  expect(isGuest()).toBe(false);
  vi.unstubAllGlobals();
});
