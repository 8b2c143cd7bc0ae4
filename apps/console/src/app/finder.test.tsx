import { press } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queries } from '../platform/api.ts';
import { i18n } from '../platform/i18n.ts';
import { keepRecent, recentItems } from '../platform/recent.ts';
import { consoleApp, refusal } from '../testing/console-app.tsx';
import { Finder } from './finder.tsx';

const app = await consoleApp();
const { t } = i18n;
const box = () => screen.getByRole('textbox', { name: t('find.hint') });
const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

test('while nothing is typed, recently opened subjects are listed above pages and actions', async () => {
  keepRecent({ path: '/members/100001', title: 'Somchai', kind: 'member' });
  keepRecent({ path: '/members/100002', title: 'Malee', kind: 'member' });
  keepRecent({ path: '/members/100001', title: 'Somchai', kind: 'member' });
  app.show(<Finder onClose={() => undefined} />);
  expect(names().slice(0, 2)).toEqual(['Somchai', 'Malee'].map((name) => name + t('type.member')));
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(location.pathname).toBe('/members/100001');
});

test('a page is found by part of its name and opened by Enter', async () => {
  app.reply('GET /api/operator/find', { found: [] });
  app.show(<Finder onClose={() => undefined} />);
  fireEvent.change(box(), { target: { value: t('nav.figures').slice(1) } });
  await waitFor(() => expect(names()[0]).toBe(`${t('nav.figures')}g f`));
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(location.pathname).toBe('/figures');
});

test('a page with a default view opens with it', async () => {
  app.reply('GET /api/operator/find', { found: [] });
  const view = { id: 'VW1', pageName: 'deposits', name: 'by QR', address: 'channel=QR' } as const;
  const own = { ...view, audience: 'me', owner: 'somsri', mine: true, isDefault: true } as const;
  app.reply('GET /api/operator/views', { views: [own], columns: [] });
  app.show(<Finder onClose={() => undefined} />);
  await waitFor(() => expect(queries.getQueryData(['views'])).toBeTruthy());
  fireEvent.change(box(), { target: { value: t('nav.deposits') } });
  fireEvent.keyDown(box(), { key: 'Enter' });
  expect(location.pathname + location.search).toBe('/deposits?channel=QR');
});

test('Enter opens what was typed, never a result of the search before', async () => {
  const member = (id: string, title: string) => ({
    ...{ kind: 'member' as const, id, title, memberId: null, memberName: null, state: 'ACTIVE' },
    ...{ account: null, amount: null, currency: null, at: null, call: null, phone: null },
  });
  app.reply('GET /api/operator/find', { found: [member('100001', 'Somchai')] });
  app.show(<Finder onClose={() => undefined} />);
  fireEvent.change(box(), { target: { value: '0812' } });
  await screen.findByText('Somchai');
  app.reply('GET /api/operator/find', { found: [member('100777', 'Malee')] });
  fireEvent.change(box(), { target: { value: '08129' } });
  fireEvent.keyDown(box(), { key: 'Enter' });
  await waitFor(() => expect(location.pathname).toBe('/members/100777'));
});

test('pages and actions that the role may not do are not offered', () => {
  app.show(<Finder onClose={() => undefined} />, '/', ['chat.read']);
  const shown = names().join();
  expect(shown).toContain(t('nav.chats'));
  for (const absent of [t('nav.withdrawals'), t('bonus.add'), t('team.invite')])
    expect(shown).not.toContain(absent);
});

test('stores at most eight subjects, each once', () => {
  for (let id = 0; id < 12; id++) keepRecent({ path: `/members/${id}`, title: String(id), kind: 'member' });
  keepRecent({ path: '/members/9', title: '9', kind: 'member' });
  expect(recentItems().map(({ title }) => title)).toEqual(['9', '11', '10', '8', '7', '6', '5', '4']);
});

test('a search that fails is an error and a button that searches again', async () => {
  app.refuse('GET /api/operator/find', 'INTERNAL_SERVER_ERROR', {}, 503);
  app.show(<Finder onClose={() => undefined} />);
  fireEvent.change(box(), { target: { value: 'zzz' } });
  await screen.findByText(refusal('INTERNAL_SERVER_ERROR'));
  app.reply('GET /api/operator/find', { found: [] });
  press(t('btn.retry'));
  await screen.findByText(t('find.nothing'));
});
