import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { AT } from '../../testing/withdrawal.ts';
import { BonusPage, NewBonusPage } from './bonus-page.tsx';

const READ = 'GET /api/operator/bonuses/{code}';
const PUBLISH = 'POST /api/operator/bonuses';
const FAILED = 'INTERNAL_SERVER_ERROR';
const app = await consoleApp();
const { t } = i18n;

type Reply = OperatorApi[typeof READ]['reply'];
const texts = (text: string) => ({ th: text, la: text, en: text });

/** The bonus in a version with this title. */
const versionOf = (version: number, title: string): Reply => ({
  bonus: {
    code: 'SPRING',
    kind: 'bonus',
    currency: 'BAHT',
    title: texts(title),
    state: 'OPEN',
    startsAt: null,
    endsAt: null,
    quota: null,
    received: 0,
    running: 0,
    granted: 0,
    taken: 0,
    version,
    changedBy: 'malee',
    changedAt: AT,
    approval: null,
  },
  terms: {
    code: 'SPRING',
    kind: 'bonus',
    currency: 'BAHT',
    title: texts(title),
    description: texts(''),
    banners: [],
    award: { percent: 50, most: 500 },
    deposit: { least: 100, most: null },
    successPercent: 200,
    failPercent: 10,
    turnoverTimes: 0,
    games: null,
    withdrawMost: null,
    days: 30,
    countBy: 'limit',
    maxReceived: 1,
    quota: null,
    codes: 'shared',
    isOpen: true,
    startsAt: null,
    endsAt: null,
  },
  versions: [],
});

const label = new RegExp(`^${t('bonus.title')}`);
const title = () => screen.getByLabelText<HTMLInputElement>(label).value;
const readAgain = () => queries.invalidateQueries({ queryKey: ['bonuses'] });

beforeEach(() => {
  app.reply(READ, versionOf(1, 'Spring'));
  app.reply('GET /api/operator/bonuses', { ...ONE_PAGE, bonuses: [], total: 0, games: [] });
  app.reply('POST /api/operator/bonus-estimate', {
    days: 30,
    receipts: 0,
    members: 0,
    granted: 0,
    most: null,
  });
});

async function show(): Promise<void> {
  app.show(<BonusPage code="SPRING" />, '/bonuses/SPRING');
  await screen.findByLabelText(label);
}

test('changed terms stay when a newer version comes, until the operator discards them', async () => {
  await show();
  type(label, 'Summer');
  app.reply(READ, versionOf(2, 'Autumn'));
  await readAgain();
  await screen.findByText(t('edit.newer'));
  expect(title()).toBe('Summer');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: t('bonus.publish') }).disabled).toBe(true);
  press(t('edit.showNewer'));
  expect(title()).toBe('Autumn');
  expect(screen.queryByText(t('edit.newer'))).toBe(null);
});

test('unchanged terms follow the newest version, and so do terms that were sent', async () => {
  await show();
  app.reply(READ, versionOf(2, 'Autumn'));
  await readAgain();
  await waitFor(() => expect(title()).toBe('Autumn'));
  type(label, 'Winter');
  app.reply(PUBLISH, { state: 'DONE', approval: null });
  app.reply(READ, versionOf(3, 'Winter'));
  press(t('bonus.publish'));
  const dialog = await screen.findByRole('dialog');
  type(new RegExp(t('field.reason')), 'new season');
  fireEvent.submit(within(dialog).getByLabelText(new RegExp(t('field.reason'))));
  await noticed(t('bonus.saved'));
  expect(app.received(PUBLISH).map(({ body }) => body.version)).toEqual([2]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(title()).toBe('Winter');
  expect(screen.queryByText(t('edit.newer'))).toBe(null);
});

test('changed terms stay while another tab of the page is read', async () => {
  await show();
  type(label, 'Summer');
  fireEvent.click(screen.getByRole('tab', { name: t('content.history') }));
  fireEvent.click(screen.getByRole('tab', { name: t('bonus.terms') }));
  expect(title()).toBe('Summer');
});

test('a failed background reading leaves the terms that are being written', async () => {
  await show();
  type(label, 'Summer');
  app.refuse(READ, FAILED, {}, 503);
  await readAgain();
  await screen.findByText(refusal(FAILED));
  expect(title()).toBe('Summer');
});

test('a bonus that cannot be copied is an error and a button that reads again', async () => {
  app.refuse(READ, FAILED, {}, 503);
  app.show(<NewBonusPage from="SPRING" />, '/bonuses/new?from=SPRING');
  await screen.findByText(refusal(FAILED));
  app.reply(READ, versionOf(1, 'Spring'));
  press(t('btn.retry'));
  await screen.findByLabelText(label);
  expect(title()).toBe('Spring');
});
