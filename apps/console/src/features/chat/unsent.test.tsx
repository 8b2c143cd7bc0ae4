import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { api, queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { CHAT, headOf, listOf } from '../../testing/chat.ts';
import { consoleApp, MEMBER, noticed } from '../../testing/console-app.tsx';
import { AT } from '../../testing/withdrawal.ts';
import { ChatsPage } from './chat.tsx';
import { clearUnsent } from './unsent.ts';

const HEAD = 'GET /api/operator/chats/{id}';
const SEND = 'POST /api/operator/chats/{id}/messages';
const NOTE = 'POST /api/operator/chats/{id}/notes';
const app = await consoleApp();
const { t } = i18n;

const OTHER = { ...CHAT, id: '8', member: { id: '100002', name: 'Malee' }, lastWords: 'thank you' };
const field = () => screen.findByLabelText<HTMLTextAreaElement>(t('chats.hint'));
const openRow = (words: string) => fireEvent.click(screen.getByText(words));
/** What is read of one conversation, at its own address. */
const replyHead = (chat: typeof CHAT) =>
  app.reply(HEAD.replace('{id}', chat.id) as typeof HEAD, headOf(chat));
/** The conversation that is open is the one with this name. */
const isOpen = (name: string) => screen.findByRole('region', { name });

/** Sends two messages of which the first has no reply until the function returned is called. */
async function sendTwo(): Promise<() => void> {
  app.reply(SEND, { id: '70', createdAt: AT });
  const release = app.hold(SEND);
  await field();
  for (const text of ['the money is on its way', 'it arrives today']) {
    type(t('chats.hint'), text);
    fireEvent.keyDown(await field(), { key: 'Enter' });
  }
  await waitFor(() => expect(app.received(SEND)).toHaveLength(1));
  return release;
}

beforeEach(async () => {
  app.reply('GET /api/operator/chats', listOf([CHAT, OTHER]));
  replyHead(CHAT);
  replyHead(OTHER);
  app.reply('GET /api/operator/chats/{id}/messages', { messages: [] });
  app.reply('GET /api/operator/canned', { canned: [] });
  app.reply('GET /api/operator/macros', { macros: [] });
  app.reply('POST /api/operator/chats/{id}/typing', { message: 'OK' });
  app.show(<ChatsPage />, '/chats?open=7', ['chat.read', 'chat.answer']);
  await isOpen(MEMBER.name);
  await screen.findByText(OTHER.lastWords);
});
afterEach(clearUnsent);

test('a message that fails after another conversation was opened is announced and can be sent again', async () => {
  app.refuse(SEND, 'INTERNAL_SERVER_ERROR', {}, 503);
  const release = app.hold(SEND);
  await field();
  type(t('chats.hint'), 'the money is on its way');
  fireEvent.keyDown(await field(), { key: 'Enter' });
  await waitFor(() => expect(app.received(SEND)).toHaveLength(1));
  openRow(OTHER.lastWords);
  await isOpen('Malee');
  release();
  await noticed(t('chats.failedElsewhere', { name: MEMBER.name }) + t('chats.openChat'));
  // Its row shows it too, after the notice is gone.
  expect(screen.getByText(t('chats.failed'))).toBeTruthy();
  press(t('chats.openChat'));
  await isOpen(MEMBER.name);
  app.reply(SEND, { id: '70', createdAt: AT });
  fireEvent.click(await screen.findByRole('button', { name: t('chats.again') }));
  await waitFor(() => expect(screen.queryByText(t('chats.sending'))).toBe(null));
  expect(screen.queryByText(t('chats.failed'))).toBe(null);
  const sent = app.received(SEND).map(({ body }) => body.message.deliver);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
});

test('messages are sent one after another, in the order in which they were written', async () => {
  const release = await sendTwo();
  // A call that goes out beside the first one would have arrived before the reply to this one.
  await api('GET /api/operator/canned');
  expect(app.received(SEND)).toHaveLength(1);
  release();
  await waitFor(() => expect(app.received(SEND)).toHaveLength(2));
  expect(app.received(SEND).map(({ body }) => body.message)).toMatchObject([
    { payload: { message: 'the money is on its way' } },
    { payload: { message: 'it arrives today' } },
  ]);
});

test('a message that waits for another one is not sent after the session has ended', async () => {
  const release = await sendTwo();
  clearUnsent();
  release();
  await waitFor(() => expect(screen.queryByText(t('chats.sending'))).toBe(null));
  await api('GET /api/operator/canned');
  expect(app.received(SEND)).toHaveLength(1);
});

test('a draft stays while another conversation is looked at', async () => {
  await field();
  type(t('chats.hint'), 'the money is');
  openRow(OTHER.lastWords);
  await isOpen('Malee');
  expect((await field()).value).toBe('');
  openRow(CHAT.lastWords);
  await isOpen(MEMBER.name);
  expect((await field()).value).toBe('the money is');
});

test('a draft stays while a colleague has the conversation, and is deleted with the session', async () => {
  await field();
  type(t('chats.hint'), 'the money is');
  replyHead({ ...CHAT, assignee: { id: '2', name: 'malee' } });
  await queries.invalidateQueries({ queryKey: ['chat'] });
  await screen.findByText(t('chats.takeOver'));
  replyHead(CHAT);
  await queries.invalidateQueries({ queryKey: ['chat'] });
  expect((await field()).value).toBe('the money is');
  clearUnsent();
  await waitFor(async () => expect((await field()).value).toBe(''));
});

test('a note that is refused after another conversation was opened is announced and stays', async () => {
  app.refuse(NOTE, 'INTERNAL_SERVER_ERROR', {}, 503);
  const release = app.hold(NOTE);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.note') }));
  type(t('chats.noteHint'), 'bank was called');
  press(t('chats.saveNote'));
  await waitFor(() => expect(app.received(NOTE)).toHaveLength(1));
  openRow(OTHER.lastWords);
  await isOpen('Malee');
  release();
  await noticed(t('chats.noteFailedElsewhere', { name: MEMBER.name }) + t('chats.openChat'));
  press(t('chats.openChat'));
  expect((await screen.findByLabelText<HTMLTextAreaElement>(t('chats.noteHint'))).value).toBe(
    'bank was called',
  );
});
