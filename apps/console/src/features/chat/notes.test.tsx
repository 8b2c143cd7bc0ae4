import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { CHAT, headOf } from '../../testing/chat.ts';
import { consoleApp, ONE_PAGE } from '../../testing/console-app.tsx';
import { MEMBER_DETAIL } from '../../testing/member.ts';
import { AT } from '../../testing/withdrawal.ts';
import { Beside } from './beside.tsx';
import { Conversation } from './conversation.tsx';

const HEAD = 'GET /api/operator/chats/{id}';
const NOTE = 'POST /api/operator/chats/{id}/notes';
const app = await consoleApp();
const { t } = i18n;

beforeEach(() => {
  app.reply(HEAD, headOf(CHAT));
  app.reply('GET /api/operator/chats/{id}/messages', { messages: [] });
  app.reply('GET /api/operator/canned', { canned: [] });
  app.reply('GET /api/operator/macros', { macros: [] });
  app.reply(NOTE, { message: 'OK' });
});

test('a note is saved once for two key presses, and what is typed meanwhile stays', async () => {
  const release = app.hold(NOTE);
  app.show(<Conversation id={CHAT.id} />, '/chats', ['chat.read', 'chat.answer']);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.note') }));
  const field = () => screen.getByLabelText<HTMLTextAreaElement>(t('chats.noteHint'));
  type(t('chats.noteHint'), 'bank was called');
  for (const key of ['Enter', 'Enter']) fireEvent.keyDown(field(), { key });
  await waitFor(() => expect(app.received(NOTE)).toHaveLength(1));
  type(t('chats.noteHint'), 'bank was called again');
  const reads = app.received(HEAD).length;
  release();
  await waitFor(() => expect(app.received(HEAD).length).toBeGreaterThan(reads));
  expect(field().value).toBe('bank was called again');
  expect(app.received(NOTE)).toHaveLength(1);
});

test('a row of the statement is tied to the conversation once for two presses', async () => {
  app.reply('GET /api/operator/members/{id}', MEMBER_DETAIL);
  app.reply('GET /api/operator/members/{id}/statement', {
    ...ONE_PAGE,
    total: 1,
    rows: [{ id: 'WD1', type: 'withdraw', from: '', to: '', amount: 500, status: 'PAID', createdAt: AT }],
  });
  const release = app.hold(NOTE);
  app.show(<Beside of={headOf(CHAT)} />);
  const tie = await screen.findByRole<HTMLButtonElement>('button', { name: t('chats.tie') });
  fireEvent.click(tie);
  fireEvent.click(tie);
  await waitFor(() => expect(app.received(NOTE)).toHaveLength(1));
  release();
  await waitFor(() => expect(tie.disabled).toBe(false));
  press(t('chats.tie'));
  await waitFor(() => expect(app.received(NOTE)).toHaveLength(2));
});
