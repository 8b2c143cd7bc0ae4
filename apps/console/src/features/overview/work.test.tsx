import type { OperatorApi } from '@krapao/contract/operator';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { changeOf, sumsOf } from './cash.tsx';
import { Work } from './work.tsx';

const WORK = 'GET /api/operator/work';
const app = await consoleApp();
const { t } = i18n;
type Item = NonNullable<OperatorApi[typeof WORK]['reply']['next']>;

const item = (more: Partial<Item> = {}): Item => ({
  kind: 'withdrawals',
  id: 'WD1',
  title: 'Somchai',
  amount: 3400,
  currency: 'BAHT',
  since: new Date(Date.now() - 40 * 60_000).toISOString(),
  targetMinutes: 15,
  isLate: true,
  mine: false,
  ...more,
});

test('Enter opens the most urgent item where it is decided', async () => {
  app.reply(WORK, { next: item(), oldest: [item()], mine: [] });
  app.show(<Work />);
  const next = await screen.findByRole('region', { name: t('today.next') });
  expect(next.textContent).toContain('3,400.00');
  expect(within(next).getByText(t('today.late', { minutes: 15 }))).toBeTruthy();
  expect(screen.queryByRole('region', { name: t('today.mine') })).toBeNull();
  fireEvent.keyDown(document.body, { key: 'Enter' });
  await waitFor(() =>
    expect(location.pathname + location.search).toBe('/withdrawals?status=REVIEW&open=WD1'),
  );
});

test('each row leads to its item; alerts and requests are named, not coded', async () => {
  const oldest = [
    item({ kind: 'alerts', id: '7', title: 'feed-silent', amount: null, currency: null }),
    item({ kind: 'unmatched', id: '8', title: 'T 1' }),
    item({ kind: 'chats', id: '9', title: '', amount: null, currency: null }),
  ];
  app.reply(WORK, { next: oldest[0]!, oldest, mine: [] });
  app.show(<Work />);
  const list = await screen.findByRole('region', { name: t('today.oldest') });
  const links = within(list).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/alerts',
    '/unmatched?q=T%201',
    '/chats?box=all&open=9',
  ]);
  expect(links[0]?.textContent).toContain(t('alert.feed-silent'));
  expect(links[2]?.textContent).toContain(t('find.visitor'));
});

test('shows nothing without work', async () => {
  app.reply(WORK, { next: null, oldest: [], mine: [] });
  app.show(<Work />);
  await waitFor(() => expect(app.received(WORK)).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
});

test('hours add up until now; a change from nothing has no percentage', () => {
  expect(sumsOf([1, 2.5, 0, 4], 2)).toEqual([1, 3.5, 3.5, null]);
  expect([changeOf(150, 100), changeOf(50, 100), changeOf(5, 0)]).toEqual([50, -50, null]);
});
