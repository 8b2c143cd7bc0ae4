import type { OperatorApi } from '@krapao/contract/operator';
import { press } from '@krapao/ui/testing/form.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, ONE_PAGE } from '../../testing/console-app.tsx';
import { TransfersPage } from './transfers.tsx';

const LIST = 'GET /api/operator/transfers';
const app = await consoleApp();
const { t } = i18n;

type Transfer = OperatorApi[typeof LIST]['reply']['transfers'][number];

const TRANSFER: Transfer = {
  id: 'TF1',
  member: MEMBER,
  game: 'naga',
  gameName: 'Naga Tales',
  direction: 'IN',
  amount: 100,
  currency: 'BAHT',
  state: 'DONE',
  createdAt: '2026-11-23T06:00:00.000Z',
  credits: 100,
  asked: 0,
  approval: null,
};

test('the filter by game names it, also without the permission for the list of games', async () => {
  app.reply(LIST, { ...ONE_PAGE, transfers: [TRANSFER], total: 1, sums: [] });
  app.show(<TransfersPage />, '/transfers?game=naga', ['transfer.read']);
  const chip = t('filter.is', { name: t('col.game'), value: 'Naga Tales' });
  expect(await screen.findByText(chip)).toBeTruthy();
  expect(app.received(LIST).at(-1)?.path).toContain('game=naga');
  press(`${t('col.game')} (1)`);
  const games = await screen.findByRole('group', { name: t('col.game') });
  within(games).getByRole('checkbox', { name: 'Naga Tales' }).click();
  await waitFor(() => expect(app.received(LIST).at(-1)?.path).not.toContain('game'));
});
