import type { OperatorApi } from '@krapao/contract/operator';
import { press, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, ONE_PAGE } from '../../testing/console-app.tsx';
import { ChatsPage } from './chat.tsx';

const LIST = 'GET /api/operator/chats';
const HEAD = 'GET /api/operator/chats/{id}';
const LINES = 'GET /api/operator/chats/{id}/messages';
const MACROS = 'GET /api/operator/macros';
const CANNED = 'GET /api/operator/canned';
const MERGE = 'POST /api/operator/chats/{id}/merge';
const app = await consoleApp();
const { t } = i18n;

type Chat = OperatorApi[typeof LIST]['reply']['chats'][number];

const GUEST: Chat = {
  id: '7',
  member: null,
  guest: 'ab12cd',
  language: 'th',
  state: 'OPEN',
  lastWords: 'where is my money',
  lastSender: 'customer',
  lastAt: '2026-11-23T06:00:00.000Z',
  waitingSince: '2026-11-23T06:00:00.000Z',
  unread: 0,
  assignee: null,
  team: null,
  snoozedUntil: null,
  tags: [],
};
const OTHER_GUEST: Chat = { ...GUEST, id: '8', guest: 'ef34ab', lastWords: 'from another browser' };
const OWN: Chat = { ...GUEST, id: '9', member: MEMBER, guest: null, lastWords: 'thank you' };

const label = () => new RegExp(`^${t('chats.mergeInto')}`);
const show = (chat: Chat) => {
  app.reply(HEAD, { chat, isThere: true, customerReadUpTo: null, sessions: [], agents: [], teams: [] });
  app.show(<ChatsPage />, `/chats?open=${chat.id}`, ['chat.read', 'chat.answer']);
};

beforeEach(() => {
  app.reply(LIST, {
    ...ONE_PAGE,
    chats: [GUEST, OTHER_GUEST, OWN],
    total: 3,
    counts: { mine: 0, team: null, unassigned: 3, all: 3, snoozed: 0, held: 0 },
    targetMinutes: 5,
  });
  app.reply(LINES, { messages: [] });
  app.reply(MACROS, { macros: [] });
  app.reply(CANNED, { canned: [] });
});

test('a guest’s conversation is merged into the member’s, which then opens', async () => {
  app.reply(MERGE, { message: 'OK' });
  show(GUEST);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.merge') }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain(t('chats.mergeNote'));
  const yes = within(dialog).getByRole('button', { name: t('chats.mergeYes') });
  type(label(), MEMBER.name);
  const choices = await within(dialog).findAllByRole('radio');
  // Not into itself, but into a member's or another guest's.
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(t('chats.guest', { id: 'ef34ab' })),
    expect.stringContaining(MEMBER.id),
  ]);
  expect(app.received(LIST).at(-1)?.path).toContain(`q=${MEMBER.name}`);
  type(new RegExp(`^${t('field.reason')}`), 'knows the deposits');
  expect(yes).toHaveProperty('disabled', true);
  fireEvent.click(choices[1]!);
  expect(within(dialog).getByRole('status').textContent).toBe(t('chats.mergeChosen', { name: MEMBER.name }));
  await ready(t('chats.mergeYes'));
  press(t('chats.mergeYes'));
  await waitFor(() => expect(new URLSearchParams(location.search).get('open')).toBe('9'));
  expect(app.received(MERGE)).toMatchObject([
    { path: '/api/operator/chats/7/merge', body: { into: '9', reason: 'knows the deposits' } },
  ]);
  await waitFor(() => expect(app.received(HEAD).at(-1)?.path).toBe('/api/operator/chats/9'));
});

test('each refusal is shown and keeps the dialog open', async () => {
  show(GUEST);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.merge') }));
  const dialog = await screen.findByRole('dialog');
  type(label(), 'thank');
  fireEvent.click((await within(dialog).findAllByRole('radio'))[1]!);
  type(new RegExp(`^${t('field.reason')}`), 'knows the deposits');
  const yes = within(dialog).getByRole('button', { name: t('chats.mergeYes') });
  await app.refuseEach(MERGE, ['ROW_CHANGED', 'CLAIMED', 'NO_DATA'], yes);
});

test('another search clears the choice', async () => {
  show(GUEST);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.merge') }));
  const dialog = await screen.findByRole('dialog');
  type(label(), 'thank');
  fireEvent.click((await within(dialog).findAllByRole('radio'))[1]!);
  type(label(), 'another');
  expect(within(dialog).getByRole('status').textContent).toBe('');
});

test('is not offered for a colleague’s conversation', async () => {
  show({ ...GUEST, assignee: { id: '2', name: 'malee' } });
  expect(await screen.findByRole('button', { name: t('chats.takeOver') })).toBeTruthy();
  expect(screen.queryByRole('button', { name: t('chats.merge') })).toBeNull();
});

test('is not offered for a member’s conversation', async () => {
  show(OWN);
  expect(await screen.findByRole('button', { name: t('chats.tags') })).toBeTruthy();
  expect(screen.queryByRole('button', { name: t('chats.merge') })).toBeNull();
});

test('a conversation that a colleague merged away says so', async () => {
  app.refuse(HEAD, 'NO_DATA');
  app.show(<ChatsPage />, '/chats?open=7', ['chat.read', 'chat.answer']);
  expect(await screen.findByText(t('chats.merged'))).toBeTruthy();
});
