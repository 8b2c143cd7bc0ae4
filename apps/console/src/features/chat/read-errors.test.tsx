import { press } from '@krapao/ui/testing/form.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { CHAT, headOf, listOf } from '../../testing/chat.ts';
import { consoleApp, refusal } from '../../testing/console-app.tsx';
import { Beside } from './beside.tsx';
import { CannedReplies } from './canned.tsx';
import { ChatsPage } from './chat.tsx';
import { Conversation } from './conversation.tsx';

const LIST = 'GET /api/operator/chats';
const HEAD = 'GET /api/operator/chats/{id}';
const ROWS = 'GET /api/operator/chats/{id}/messages';
const CANNED = 'GET /api/operator/canned';
const FAILED = 'INTERNAL_SERVER_ERROR';
const app = await consoleApp();
const { t } = i18n;

beforeEach(() => {
  app.reply(HEAD, headOf(CHAT));
  app.reply(ROWS, { messages: [] });
  app.reply(CANNED, { canned: [] });
});

test('an inbox that is read shows no text about its emptiness; one that fails shows why', async () => {
  app.refuse(LIST, FAILED, {}, 503);
  const release = app.hold(LIST);
  app.show(<ChatsPage />, '/chats', ['chat.read']);
  expect(screen.queryByText(t('chats.none'))).toBe(null);
  release();
  await screen.findByText(refusal(FAILED));
  expect(screen.queryByText(t('chats.none'))).toBe(null);
  app.reply(LIST, listOf([]));
  press(t('btn.retry'));
  await screen.findByText(t('chats.none'));
});

test('a conversation that cannot be read is an error and a button that reads again', async () => {
  app.refuse(HEAD, FAILED, {}, 503);
  app.show(<Conversation id={CHAT.id} />, '/chats', ['chat.read']);
  await screen.findByText(refusal(FAILED));
  app.reply(HEAD, headOf(CHAT));
  press(t('btn.retry'));
  await screen.findByRole('region', { name: CHAT.member!.name });
});

test('messages that cannot be read are an error above the ones that were', async () => {
  app.show(<Conversation id={CHAT.id} />, '/chats', ['chat.read']);
  const conversation = await screen.findByRole('region', { name: CHAT.member!.name });
  app.refuse(ROWS, FAILED, {}, 503);
  await queries.invalidateQueries({ queryKey: ['chat'] });
  await waitFor(() => expect(within(conversation).getByRole('alert').textContent).toBe(refusal(FAILED)));
});

test('a member beside a conversation who cannot be read is an error', async () => {
  app.refuse('GET /api/operator/members/{id}', FAILED, {}, 503);
  app.refuse('GET /api/operator/members/{id}/statement', FAILED, {}, 503);
  app.show(<Beside of={headOf(CHAT)} />);
  await screen.findByText(refusal(FAILED));
});

test('ready replies that cannot be read are an error, without the form', async () => {
  app.refuse(CANNED, FAILED, {}, 503);
  app.show(<CannedReplies onClose={() => undefined} />);
  await screen.findByText(refusal(FAILED));
  expect(screen.queryByRole('button', { name: t('chats.saveCanned') })).toBe(null);
});
