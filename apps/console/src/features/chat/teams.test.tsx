import type { OperatorApi, Permission } from '@krapao/contract/operator';
import { CHAT_TEAMS_MAX } from '@krapao/contract/shared';
import { press, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { ChatsPage } from './chat.tsx';

const LIST = 'GET /api/operator/chats';
const HEAD = 'GET /api/operator/chats/{id}';
const TEAMS = 'GET /api/operator/chat-teams';
const ADD = 'POST /api/operator/chat-teams';
const SAVE = 'PUT /api/operator/chat-teams/{id}';
const REMOVE = 'DELETE /api/operator/chat-teams/{id}';
const GIVE = 'POST /api/operator/chats/{id}/team';
const TRANSFER = 'POST /api/operator/chats/{id}/transfer';
const app = await consoleApp();
const { t } = i18n;

type Chat = OperatorApi[typeof LIST]['reply']['chats'][number];

const MALEE = { id: '2', name: 'malee' };
const SOMSRI = { id: '1', name: 'somsri' };
const THAI = { id: '3', name: 'Thai desk', members: [MALEE] };
const LAO = { id: '4', name: 'Lao desk', members: [] };
const CHAT: Chat = {
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
  team: { id: THAI.id, name: THAI.name },
  snoozedUntil: null,
  tags: [],
};
const AGENT: Permission[] = ['chat.read', 'chat.answer'];
const MANAGER: Permission[] = [...AGENT, 'chat.manage'];

const listed = (chats: readonly Chat[], team: number | null) =>
  app.reply(LIST, {
    ...ONE_PAGE,
    chats: [...chats],
    total: chats.length,
    counts: { mine: 0, team, unassigned: 1, all: 1, snoozed: 0, held: 0 },
    targetMinutes: 5,
  });
const replyHead = (chat: Chat) => {
  const head = { isThere: true, customerReadUpTo: null, sessions: [], agents: [SOMSRI, MALEE] };
  app.reply(HEAD, { chat, ...head, teams: [THAI, LAO].map(({ id, name }) => ({ id, name })) });
};
const show = (chat: Chat) => {
  replyHead(chat);
  app.show(<ChatsPage />, `/chats?open=${chat.id}`, AGENT);
};
const openTeams = async (teams: (typeof THAI)[]) => {
  app.reply(TEAMS, { teams, agents: [SOMSRI, MALEE] });
  app.show(<ChatsPage />, '/chats', MANAGER);
  fireEvent.click(await screen.findByRole('button', { name: t('chatTeams.title') }));
  return screen.findByRole('dialog');
};
const nameField = () => new RegExp(`^${t('chatTeams.name')}`);
const inRow = (dialog: HTMLElement, name: string, button: string) => {
  const rows = within(dialog).getAllByRole('button', { name: button });
  const at = within(dialog)
    .getAllByText(/^(Thai|Lao) /)
    .findIndex(({ textContent }) => textContent === name);
  return rows[at]!;
};

beforeEach(() => {
  listed([CHAT], 1);
  // The last action of a test reads it again, perhaps afterwards.
  replyHead(CHAT);
  app.reply('GET /api/operator/chats/{id}/messages', { messages: [] });
  app.reply('GET /api/operator/macros', { macros: [] });
  app.reply('GET /api/operator/canned', { canned: [] });
});

test('a conversation is handed to another team, and taken from its own', async () => {
  app.reply(GIVE, { message: 'OK' });
  show(CHAT);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.transfer') }));
  // The conversation is with the Thai desk already.
  const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(names).toEqual([LAO.name, t('chats.fromTeam', { name: THAI.name }), SOMSRI.name, MALEE.name]);
  fireEvent.click(screen.getByRole('menuitem', { name: LAO.name }));
  await waitFor(() => expect(app.received(GIVE)).toHaveLength(1));
  fireEvent.click(screen.getByRole('button', { name: t('chats.transfer') }));
  fireEvent.click(await screen.findByRole('menuitem', { name: t('chats.fromTeam', { name: THAI.name }) }));
  await waitFor(() => expect(app.received(GIVE)).toHaveLength(2));
  expect(app.received(GIVE)).toMatchObject([
    { path: '/api/operator/chats/7/team', body: { team: LAO.id } },
    { path: '/api/operator/chats/7/team', body: { team: null } },
  ]);
});

test('one that an agent has goes back to its own team', async () => {
  app.reply(GIVE, { message: 'OK' });
  show({ ...CHAT, assignee: MALEE });
  fireEvent.click(await screen.findByRole('button', { name: t('chats.transfer') }));
  fireEvent.click(await screen.findByRole('menuitem', { name: THAI.name }));
  await waitFor(() => expect(app.received(GIVE)).toMatchObject([{ body: { team: THAI.id } }]));
});

test('selected conversations are handed to a team or to an agent', async () => {
  app.reply(GIVE, { message: 'OK' });
  app.reply(TRANSFER, { message: 'OK' });
  const chats = [CHAT, { ...CHAT, id: '8', lastWords: 'a second question' }];
  listed(chats, 2);
  app.show(<ChatsPage />, '/chats', AGENT);
  const handOver = async (name: string) => {
    fireEvent.click(await screen.findByRole('button', { name: `${t('chats.transfer')} (2)` }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('combobox', { name: new RegExp(`^${t('chats.recipient')}`) }));
    fireEvent.click(await screen.findByRole('option', { name }));
    fireEvent.click(within(dialog).getByRole('button', { name: `${t('chats.transfer')} (2)` }));
    expect(await screen.findByText(t('bulk.result', { done: 2, failed: 0 }))).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: t('btn.close') })[0]!);
  };
  await screen.findByText(CHAT.lastWords);
  fireEvent.click(screen.getByRole('button', { name: t('chats.select') }));
  const select = () => {
    for (const { lastWords } of chats) fireEvent.click(screen.getByText(lastWords));
  };
  select();
  await handOver(LAO.name);
  expect(app.received(GIVE)).toMatchObject([
    { path: '/api/operator/chats/7/team', body: { team: LAO.id } },
    { path: '/api/operator/chats/8/team', body: { team: LAO.id } },
  ]);
  select();
  await handOver(SOMSRI.name);
  expect(app.received(TRANSFER)).toMatchObject([
    { path: '/api/operator/chats/7/transfer', body: { operator: SOMSRI.id } },
    { path: '/api/operator/chats/8/transfer', body: { operator: SOMSRI.id } },
  ]);
});

test('a refused hand-over says why', async () => {
  app.refuse(GIVE, 'NO_DATA');
  show(CHAT);
  fireEvent.click(await screen.findByRole('button', { name: t('chats.transfer') }));
  fireEvent.click(await screen.findByRole('menuitem', { name: LAO.name }));
  await noticed(refusal('NO_DATA'));
});

test('the inbox has the box of the own teams with its count, and the team in the row', async () => {
  app.show(<ChatsPage />, '/chats', AGENT);
  expect(await screen.findByText(THAI.name)).toBeTruthy();
  listed([], 0);
  fireEvent.click(screen.getByRole('radio', { name: `${t('chatBox.team')} 1` }));
  expect(await screen.findByText(t('chats.noneOfTeam'))).toBeTruthy();
  expect(app.received(LIST).at(-1)?.path).toContain('box=team');
});

test('the box is left out for an operator in no team, and says so when it is opened', async () => {
  listed([], null);
  app.show(<ChatsPage />, '/chats', AGENT);
  expect(await screen.findByText(t('chats.none'))).toBeTruthy();
  expect(screen.queryByRole('radio', { name: t('chatBox.team') })).toBeNull();
  expect(screen.queryByRole('button', { name: t('chatTeams.title') })).toBeNull();
});

test('a link to the box says when the operator is in no team', async () => {
  listed([], null);
  app.show(<ChatsPage />, '/chats?box=team', AGENT);
  expect(await screen.findByText(t('chats.inNoTeam'))).toBeTruthy();
});

test('a team is added with its agents', async () => {
  app.reply(ADD, { id: '3' });
  const dialog = await openTeams([]);
  expect(await within(dialog).findByText(t('chatTeams.none'))).toBeTruthy();
  type(nameField(), ' Thai desk ');
  fireEvent.click(within(dialog).getByRole('combobox', { name: t('chatTeams.members') }));
  fireEvent.click(await screen.findByRole('option', { name: MALEE.name }));
  await ready(t('chatTeams.add'));
  app.reply(TEAMS, { teams: [THAI], agents: [SOMSRI, MALEE] });
  press(t('chatTeams.add'));
  await noticed(t('banner.saved'));
  expect(app.received(ADD)).toMatchObject([{ body: { name: 'Thai desk', members: [MALEE.id] } }]);
  await waitFor(() => expect(screen.getByLabelText(nameField())).toHaveProperty('value', ''));
});

test('a team is renamed; a name that is taken is refused and stays in the form', async () => {
  app.refuse(SAVE, 'CODE_TAKEN');
  const dialog = await openTeams([LAO, THAI]);
  await within(dialog).findByText(t('chatTeams.noMembers'));
  fireEvent.click(inRow(dialog, THAI.name, t('content.change')));
  type(nameField(), LAO.name);
  press(t('chatTeams.save'));
  await noticed(refusal('CODE_TAKEN'));
  type(nameField(), 'Thai and Lao desk');
  app.reply(SAVE, { message: 'OK' });
  await ready(t('chatTeams.save'));
  press(t('chatTeams.save'));
  await noticed(t('banner.saved'));
  expect(app.received(SAVE).at(-1)).toMatchObject({
    path: '/api/operator/chat-teams/3',
    body: { name: 'Thai and Lao desk', members: [MALEE.id] },
  });
});

test('a team is removed once that is confirmed', async () => {
  app.reply(REMOVE, { message: 'OK' });
  const dialog = await openTeams([LAO, THAI]);
  await within(dialog).findByText(t('chatTeams.noMembers'));
  fireEvent.click(inRow(dialog, LAO.name, t('chats.remove')));
  expect(await screen.findByText(t('chatTeams.removeNote'))).toBeTruthy();
  expect(app.received(REMOVE)).toEqual([]);
  press(t('chatTeams.removeYes'));
  await waitFor(() => expect(app.received(REMOVE)).toMatchObject([{ path: '/api/operator/chat-teams/4' }]));
  expect(await screen.findByText(t('chatTeams.note'))).toBeTruthy();
});

test('says when there are as many teams as allowed', async () => {
  const many = Array.from({ length: CHAT_TEAMS_MAX }, (_, at) => ({ ...LAO, id: `${at}`, name: `${at}` }));
  const dialog = await openTeams(many);
  expect(await within(dialog).findByText(t('chatTeams.full', { max: CHAT_TEAMS_MAX }))).toBeTruthy();
  expect(within(dialog).queryByLabelText(nameField())).toBeNull();
});
