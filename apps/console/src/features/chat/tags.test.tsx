import { press } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { CHAT, headOf, listOf } from '../../testing/chat.ts';
import { consoleApp, MEMBER } from '../../testing/console-app.tsx';
import { ChatsPage } from './chat.tsx';
import { clearUnsent } from './unsent.ts';

const TAGS = 'POST /api/operator/chats/{id}/tags';
const app = await consoleApp();
const { t } = i18n;
afterEach(clearUnsent);

test('the dialog sends the tags that were added and removed, and names no other', async () => {
  const chat = { ...CHAT, tags: ['deposit', 'late'] };
  app.reply('GET /api/operator/chats', listOf([chat]));
  app.reply('GET /api/operator/chats/{id}', headOf(chat));
  app.reply('GET /api/operator/chats/{id}/messages', { messages: [] });
  app.reply('GET /api/operator/canned', { canned: [] });
  app.reply('GET /api/operator/macros', { macros: [] });
  app.reply(TAGS, { message: 'OK' });
  app.show(<ChatsPage />, '/chats?open=7', ['chat.read', 'chat.answer']);
  await screen.findByRole('region', { name: MEMBER.name });
  press(t('chats.tags'));
  const dialog = await screen.findByRole('dialog');
  const field = within(dialog).getByRole('combobox');
  fireEvent.keyDown(field, { key: 'Backspace' });
  fireEvent.change(field, { target: { value: 'vip' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  within(dialog)
    .getByRole('button', { name: t('chats.saveTags') })
    .click();
  await waitFor(() => expect(app.received(TAGS)).toHaveLength(1));
  expect(app.received(TAGS)[0]?.body).toEqual({ added: ['vip'], removed: ['late'] });
});
