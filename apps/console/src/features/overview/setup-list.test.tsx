import type { OperatorApi } from '@krapao/contract/operator';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { SetupList } from './setup-list.tsx';

const SETUP = 'GET /api/operator/setup';
const app = await consoleApp();
const { t } = i18n;
type Items = OperatorApi[typeof SETUP]['reply']['items'];

const ITEMS: Items = [
  { code: 'deposit-account', isDone: true, missing: [] },
  { code: 'game', isDone: false, missing: [] },
  { code: 'payout', isDone: false, missing: ['BANK_A_KEY'] },
];

test('a missing step links to its page; a done step is marked', async () => {
  app.reply(SETUP, { items: ITEMS });
  app.show(<SetupList />);
  const game = await screen.findByRole('link', { name: t('setup.game') });
  expect(game.getAttribute('href')).toBe('/games');
  expect(screen.getByText(t('setup.progress', { done: 1, total: 3 }))).toBeTruthy();
  expect(screen.getByText(`${t('setup.deposit-account')} – ${t('setup.done')}`)).toBeTruthy();
  expect(screen.getByText(t('games.missing', { names: 'BANK_A_KEY' }))).toBeTruthy();
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('links steps only for permitted operators, and shows the list to administrators only', async () => {
  app.reply(SETUP, { items: ITEMS });
  app.show(<SetupList />, '/', ['channel.manage']);
  await screen.findByText(t('setup.game'));
  expect(screen.queryByRole('link')).toBeNull();
  app.show(<SetupList />, '/', ['chat.read']);
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1));
});

test('the list is gone with the last item', async () => {
  app.reply(SETUP, { items: ITEMS.map((item) => ({ ...item, isDone: true })) });
  app.show(<SetupList />);
  await waitFor(() => expect(app.received(SETUP)).toHaveLength(1));
  expect(screen.queryByRole('heading')).toBeNull();
});
