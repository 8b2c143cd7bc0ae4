import { press } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, ONE_PAGE } from '../../testing/console-app.tsx';
import { ChatsPage } from './chat.tsx';

const LIST = 'GET /api/operator/chats';
const app = await consoleApp();
const { t } = i18n;

beforeEach(() =>
  app.reply(LIST, {
    ...ONE_PAGE,
    chats: [],
    total: 0,
    counts: { mine: 0, team: null, unassigned: 0, all: 0, snoozed: 0, held: 0 },
    targetMinutes: 5,
  }),
);

const sent = () =>
  Object.fromEntries(new URLSearchParams(app.received(LIST).at(-1)?.path.split('?')[1]).entries());

test('what a report leads to is listed, named, and given up by one press', async () => {
  app.show(<ChatsPage />, '/chats?agent=somsri&from=2026-11-01&to=2026-11-23', ['chat.read']);
  const days = { from: '2026-11-01T00:00:00+07:00', to: '2026-11-24T00:00:00+07:00' };
  await waitFor(() => expect(sent()).toMatchObject({ agent: 'somsri', ...days }));
  const text = 'somsri · 01/11/2026–23/11/2026';
  expect(screen.getByText(text)).toBeTruthy();
  press(t('filter.remove', { filter: text }));
  await waitFor(() => expect(sent()).not.toHaveProperty('agent'));
  expect(sent()).not.toHaveProperty('from');
});

test('sessions without an agent are named so, and a box ends the search for them', async () => {
  app.show(<ChatsPage />, '/chats?agent=no-agent&from=2026-11-01&to=2026-11-01', ['chat.read']);
  expect(await screen.findByText(`${t('chats.unassigned')} · 01/11/2026`)).toBeTruthy();
  screen.getByRole('radio', { name: t('chatBox.ended') }).click();
  await waitFor(() => expect(sent()).toMatchObject({ box: 'ended' }));
  expect(sent()).not.toHaveProperty('agent');
});
