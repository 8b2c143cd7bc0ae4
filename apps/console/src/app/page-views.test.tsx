import type { OperatorApi } from '@krapao/contract/operator';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queries } from '../platform/api.ts';
import { i18n } from '../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE } from '../testing/console-app.tsx';
import { Shell } from './shell.tsx';

const LIST = 'GET /api/operator/deposits';
const VIEWS = 'GET /api/operator/views';
const CHOOSE = 'POST /api/operator/default-view';
const app = await consoleApp();
const { t } = i18n;

type View = OperatorApi['GET /api/operator/views']['reply']['views'][number];
const view = (name: string, more: Partial<View> = {}): View => ({
  ...{ id: `VW${name}`, pageName: 'deposits', name, address: `q=${name}`, audience: 'me' },
  ...{ owner: 'somsri', mine: true, isDefault: false },
  ...more,
});

const counts = (total: number, isTotalExact = true) =>
  app.reply(LIST, { ...ONE_PAGE, deposits: [], sums: [], total, isTotalExact });
const stored = (...views: View[]) => app.reply(VIEWS, { views, columns: [] });
const queriesOf = () => app.received(LIST).map(({ path }) => new URL(path, 'http://x').searchParams);
const counted = () => queriesOf().filter((query) => query.get('limit') === '1');

beforeEach(() => {
  vi.stubGlobal(
    'EventSource',
    class {
      close() {}
    },
  );
  app.reply('GET /api/operator/mentions', { mentions: [] });
  app.reply('GET /api/operator/gifts', { ...ONE_PAGE, gifts: [], total: 0 });
  counts(3);
});

const show = (address = '/me') => app.show(<Shell />, address, ['deposit.read', 'audit.read']);
const pageLink = () => screen.getByRole('link', { name: t('nav.deposits') });
const sideViews = async () =>
  within(await screen.findByRole('list', { name: t('views.of', { page: t('nav.deposits') }) }));
const openMenu = async () => {
  fireEvent.click(screen.getByRole('button', { name: t('views.title') }));
  return within(await screen.findByRole('menu'));
};

test('the side bar and the key open a page with its default view; clearing the filters stays on the page', async () => {
  stored(view('own'), view('shared', { mine: false, isDefault: true }));
  show('/nowhere');
  await waitFor(() => expect(pageLink().getAttribute('href')).toBe('/deposits?q=shared'));
  fireEvent.keyDown(document, { key: 'g' });
  fireEvent.keyDown(document, { key: 'd' });
  await sideViews();
  expect(location.search).toBe('?q=shared');
  const menu = await openMenu();
  fireEvent.click(await menu.findByRole('menuitem', { name: t('views.without') }));
  await waitFor(() => expect(queriesOf().some((query) => !query.has('q'))).toBe(true));
  expect(location.pathname + location.search).toBe('/deposits');
});

test('an address of its own is left alone: with filters, with an open row, and the bare page', async () => {
  stored(view('own', { isDefault: true }));
  for (const address of ['/deposits?channel=QR', '/deposits?open=7', '/deposits']) {
    show(address);
    await sideViews();
    expect(location.pathname + location.search).toBe(address);
    cleanup();
  }
});

test('a page whose default is not among the views its operator sees opens as it is', async () => {
  stored(view('own'));
  show('/deposits');
  await sideViews();
  expect(pageLink().getAttribute('href')).toBe('/deposits');
});

test('the side bar has the default and own views of the page that is open alone, five at most', async () => {
  stored(
    ...['a', 'b', 'c', 'd', 'e'].map((name) => view(name)),
    view('other', { mine: false }),
    view('first', { mine: false, isDefault: true }),
    view('trail', { pageName: 'audit' }),
  );
  show('/deposits?q=b&open=5');
  const links = (await sideViews()).getAllByRole('link');
  await waitFor(() =>
    expect(links.map((link) => link.textContent)).toEqual(
      ['first', 'a', 'b', 'c', 'd'].map((name) => `${name}3`),
    ),
  );
  expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'true', null, null]);
});

test('a count is of one row of the list with the filters of its view', async () => {
  stored(view('own', { address: 'channel=QR&from=2026-01-05&cols=amount&size=100' }));
  show('/deposits');
  await (await sideViews()).findByText('3');
  expect(counted().map((query) => Object.fromEntries(query))).toEqual([
    { channel: 'QR', from: '2026-01-05T00:00:00+07:00', limit: '1' },
  ]);
});

test('a count that stopped is shown as more; neither being shown again nor an event of the list reads it again', async () => {
  stored(view('own'));
  counts(10_000, false);
  show('/deposits');
  const side = await sideViews();
  await side.findByText('10,000+');
  expect(await (await openMenu()).findByText('10,000+')).toBeTruthy();
  await queries.invalidateQueries({ queryKey: ['deposits'] });
  expect(counted()).toHaveLength(1);
  // As its time does.
  counts(12);
  void queries.invalidateQueries({ queryKey: ['view-count'] });
  await side.findByText('12');
});

test('a count that fails shows nothing, nor the one before', async () => {
  stored(view('own'));
  show('/deposits');
  const side = await sideViews();
  await side.findByText('3');
  app.refuse(LIST, 'INTERNAL_SERVER_ERROR', {}, 503);
  void queries.invalidateQueries({ queryKey: ['view-count'] });
  await waitFor(() => expect(side.queryByText('3')).toBe(null));
  expect(side.getByRole('link').textContent).toBe('own');
});

test('an operator chooses the view a page opens with, and none again', async () => {
  stored(view('own'), view('shared', { mine: false, owner: 'malee' }));
  app.reply(CHOOSE, { message: 'OK' });
  show('/deposits');
  const choose = async (name: string) => {
    fireEvent.click(await (await openMenu()).findByRole('menuitem', { name: t('views.default') }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('combobox', { name: t('views.isDefault') }));
    fireEvent.click(await screen.findByRole('option', { name }));
    fireEvent.click(dialog.getByRole('button', { name: new RegExp(t('views.default')) }));
    await noticed(t('views.defaultSaved'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  };
  await sideViews();
  stored(view('own'), view('shared', { mine: false, owner: 'malee', isDefault: true }));
  await choose('shared');
  await waitFor(() => expect(pageLink().getAttribute('href')).toBe('/deposits?q=shared'));
  await choose(t('views.noDefault'));
  expect(app.received(CHOOSE).map(({ body }) => body)).toEqual([
    { pageName: 'deposits', id: 'VWshared' },
    { pageName: 'deposits', id: null },
  ]);
});

test('a default view that is no longer there is refused, and the dialog stays', async () => {
  stored(view('own'));
  show('/deposits');
  await sideViews();
  fireEvent.click(await (await openMenu()).findByRole('menuitem', { name: t('views.default') }));
  const dialog = within(await screen.findByRole('dialog'));
  const send = dialog.getByRole('button', { name: new RegExp(t('views.default')) });
  await app.refuseEach(CHOOSE, ['NO_DATA', 'UNAUTHORIZED'], send);
});
