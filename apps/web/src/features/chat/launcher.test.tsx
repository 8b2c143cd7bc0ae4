import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startSession } from '../../platform/session.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import ChatLauncher from './launcher.tsx';

const app = await memberApp();
const OFFERED = 'GET /api/lookup/enableChatWidget';

test('support after a lost request: wanted, the chat is asked for again at once, and opens', async () => {
  startSession('a', true);
  app.dropConnection(OFFERED);
  app.show(<ChatLauncher />);
  await waitFor(() => expect(app.received(OFFERED)).toHaveLength(1));
  app.reply(OFFERED, true);
  app.reply('GET /api/chat/config', { PREFIX: 'chat', isOnline: true, hours: [], answerMinutes: null });
  app.reply('POST /api/chat/unread', { unread: 0, isOpen: false, readUpTo: null });
  app.reply('POST /api/chat/history', { messages: [], hasMore: false, readUpTo: null } as never);
  act(() => history.pushState({ chat: true, about: 'WD1' }, ''));
  expect(await screen.findByPlaceholderText(text('chat.placeholder'))).toBeTruthy();
});
