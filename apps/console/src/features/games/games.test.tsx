import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, refusal } from '../../testing/console-app.tsx';
import { GamesPage } from './games.tsx';

const LIST = 'GET /api/operator/games';
const ADD = 'POST /api/operator/games';
const TEST = 'POST /api/operator/game-test';
const CHANGE = 'PUT /api/operator/games/{code}';
const REMOVE = 'POST /api/operator/games/{code}/remove';
const app = await consoleApp();
const { t } = i18n;

type Games = OperatorApi[typeof LIST]['reply'];
type Game = Games['games'][number];

const GAME: Game = {
  ...{ code: 'tiger', category: 'slot', provider: 'style-f', agent: 'betflix' },
  ...{ name: 'เสือทอง', nameLa: null, nameEn: 'Golden Tiger', picture: '', web: '', android: '', ios: '' },
  ...{ state: 'OFF', isArchived: false, rate: 2, rateLak: null, least: null },
  ...{ version: 3, accounts: 0, otherRate: 0 },
};
const PROVIDER: Games['providers'][number] = {
  code: 'style-f',
  names: { th: '', la: '', en: 'Studio F' },
  ...{ state: 'OPEN', games: 1, missing: ['GAME_F_KEY'], changedBy: null, changedAt: null },
};

const show = async (...games: Game[]): Promise<void> => {
  app.reply(LIST, { currencies: ['BAHT'], games, providers: [PROVIDER] });
  app.show(<GamesPage />, '/games');
  await screen.findByText('Studio F');
};
const bodies = (call: typeof ADD | typeof CHANGE | typeof REMOVE) =>
  app.received(call).map(({ body }) => body);
const dialog = () => screen.findByRole('dialog');

beforeEach(() =>
  app.reply(TEST, { outcome: 'REFUSED', detail: 'OTHER', milliseconds: 31, at: '2026-11-23T06:00:00.000Z' }),
);

test('a game is added in three languages after a test call, and what is refused keeps the form', async () => {
  await show();
  expect(screen.getByText(t('games.none'))).toBeTruthy();
  expect(screen.getByText(t('games.missing', { names: 'GAME_F_KEY' }))).toBeTruthy();
  press(t('games.add'));
  const form = await dialog();
  type(new RegExp(`^${t('games.code').slice(0, 4)}`), 'Tiger');
  type(/ไทย/, 'เสือทอง');
  type(/English/, 'Golden Tiger');
  type(new RegExp(t('games.agent').slice(0, 20)), 'betflix');
  const yes = within(form).getByRole<HTMLButtonElement>('button', { name: t('games.add') });
  expect(yes.disabled).toBe(true);
  press(t('games.test'));
  await screen.findByText(/OTHER/);
  type(/Reason/, 'a first game');
  app.refuse(ADD, 'EXISTING_GAME');
  fireEvent.click(yes);
  await noticed(refusal('EXISTING_GAME'));
  await waitFor(() => expect(yes.disabled).toBe(false));
  app.reply(ADD, { message: 'OK' });
  fireEvent.click(yes);
  await noticed(t('banner.saved'));
  expect(bodies(ADD).at(-1)).toEqual({
    ...{ code: 'tiger', category: 'slot', provider: 'style-f', agent: 'betflix' },
    ...{ name: 'เสือทอง', nameLa: null, nameEn: 'Golden Tiger', picture: '', web: '', android: '', ios: '' },
    ...{ rate: 1, rateLak: null, least: null, reason: 'a first game' },
  });
});

test('the outcome of a test call goes when provider or agent is changed', async () => {
  await show();
  press(t('games.add'));
  await dialog();
  const agent = new RegExp(t('games.agent').slice(0, 20));
  type(agent, 'betflix');
  press(t('games.test'));
  await screen.findByText(/OTHER/);
  type(agent, 'pg');
  expect(screen.queryByText(/OTHER/)).toBeNull();
  press(t('games.test'));
  await screen.findByText(/OTHER/);
  expect(app.received(TEST).map(({ body }) => body)).toMatchObject([{ agent: 'betflix' }, { agent: 'pg' }]);
});

test('a game that another has changed meanwhile is saved after its newer version was shown', async () => {
  await show(GAME);
  press(`${t('content.change')} เสือทอง`);
  const form = await dialog();
  const reason = () => type(/Reason/, 'a new name');
  const save = async () =>
    fireEvent.click(within(await dialog()).getByRole('button', { name: t('channel.save') }));
  type(/English/, 'Tiger of gold');
  reason();
  app.reply(LIST, { currencies: ['BAHT'], games: [{ ...GAME, rate: 5, version: 4 }], providers: [PROVIDER] });
  app.refuse(CHANGE, 'ROW_CHANGED');
  await save();
  expect(await within(form).findByText(t('edit.newer'))).toBeTruthy();
  press(t('edit.showNewer'));
  await waitFor(() => expect(screen.queryByText(t('edit.newer'))).toBeNull());
  type(/English/, 'Tiger of gold');
  reason();
  app.reply(CHANGE, { message: 'OK' });
  await save();
  await noticed(t('banner.saved'));
  expect(bodies(CHANGE).at(-1)).toMatchObject({ nameEn: 'Tiger of gold', rate: 5, version: 4 });
});

test('a rate or least credits that cannot be read are marked and not sent', async () => {
  app.reply(LIST, { currencies: ['BAHT', 'LAK'], games: [GAME], providers: [PROVIDER] });
  app.show(<GamesPage />, '/games');
  await screen.findByText('Studio F');
  press(`${t('content.change')} เสือทอง`);
  const form = await dialog();
  type(/Reason/, 'a new price');
  const yes = within(form).getByRole<HTMLButtonElement>('button', { name: t('channel.save') });
  await waitFor(() => expect(yes.disabled).toBe(false));
  const fields = [t('games.rateLakField'), t('games.leastField')];
  for (const typed of ['600 ₭', '1/600', '0,004', 'none'])
    for (const field of fields) {
      type(field, typed);
      await waitFor(() => expect(yes.disabled).toBe(true));
      type(field, '');
      await waitFor(() => expect(yes.disabled).toBe(false));
    }
  type(fields[0]!, '0.0041');
  app.reply(CHANGE, { message: 'OK' });
  fireEvent.click(yes);
  await noticed(t('banner.saved'));
  expect(bodies(CHANGE)).toMatchObject([{ rate: 2, rateLak: 0.0041, least: null }]);
});

test('one that is off is removed with a reason; one with a history is brought back', async () => {
  app.reply(REMOVE, { outcome: 'ARCHIVED' });
  app.reply(CHANGE, { message: 'OK' });
  await show(GAME, { ...GAME, code: 'owl', name: 'Owl', isArchived: true });
  press(`${t('games.remove')} เสือทอง`);
  await dialog();
  type(/Reason/, 'no players');
  fireEvent.click(within(await dialog()).getByRole('button', { name: t('games.remove') }));
  await noticed(t('games.removed-ARCHIVED'));
  expect(bodies(REMOVE)).toEqual([{ version: 3, reason: 'no players' }]);
  press(`${t('games.restore')} Owl`);
  await waitFor(() => expect(bodies(CHANGE)).toMatchObject([{ state: 'OFF', version: 3 }]));
});

test('an open game cannot be removed, and who only reads changes nothing', async () => {
  await show({ ...GAME, state: 'OPEN' });
  expect(screen.queryByRole('button', { name: `${t('games.remove')} เสือทอง` })).toBeNull();
  app.show(<GamesPage />, '/games', ['setting.read']);
  await waitFor(() => expect(screen.getAllByText('Studio F')).toHaveLength(2));
  expect(screen.getAllByRole('button', { name: t('games.add') })).toHaveLength(1);
});

test('a list without a response is read again', async () => {
  app.refuse(LIST, 'REQUEST_LIMIT');
  app.show(<GamesPage />, '/games');
  const again = await screen.findByRole('button', { name: t('btn.retry') });
  app.reply(LIST, { currencies: ['BAHT'], games: [GAME], providers: [PROVIDER] });
  fireEvent.click(again);
  await screen.findByText('Golden Tiger');
  expect(screen.queryByRole('alert')).toBeNull();
});
