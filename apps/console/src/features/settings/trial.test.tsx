import type { OperatorApi, Permission } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, noticed } from '../../testing/console-app.tsx';
import { SettingsPage } from './settings.tsx';

const TRIAL = 'POST /api/operator/risk/trial';
const app = await consoleApp();
const { t } = i18n;

const NAME = t('setting.risk.reviewScore');

const SETTINGS = 'GET /api/operator/settings';
const CHANGE = 'PUT /api/operator/settings/{key}';
type Setting = OperatorApi[typeof SETTINGS]['reply']['settings'][number];

const SETTING: Setting = {
  ...{ key: 'risk.reviewScore', group: 'risk', kind: 'number', unit: 'points' },
  ...{ value: 30, fallback: 30, version: 0, changedAt: null, needsChecker: true },
};

beforeEach(() => {
  app.reply(SETTINGS, { settings: [SETTING] });
  app.reply(TRIAL, {
    from: '2026-10-24T06:00:00.000Z',
    assessed: 1203,
    unassessed: 2,
    now: { review: 9, held: 1, alerts: 1 },
    tried: { review: 14, held: 1, alerts: 1 },
    withdrawals: [
      {
        id: 'WD1',
        member: MEMBER,
        amount: 300,
        currency: 'BAHT',
        createdAt: '2026-11-20T06:00:00.000Z',
        scoreNow: 20,
        scoreTried: 20,
        outcomeNow: 'pass',
        outcomeTried: 'review',
      },
    ],
  });
});

/** Opens the editor of the setting and types a value. */
async function edit(value: string, permissions?: readonly Permission[]): Promise<HTMLElement> {
  app.show(<SettingsPage />, '/settings', permissions);
  fireEvent.click(await screen.findByRole('button', { name: `${t('content.change')} ${NAME}` }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText(t('settings.unit-points')), { target: { value } });
  return dialog;
}

test('a value is tried on the last 30 days before it is saved, with the withdrawals it would have stopped', async () => {
  const dialog = await edit('15');
  press(t('trial.button'));
  expect(await within(dialog).findByText(t('trial.review', { count: 14, all: 1203, now: 9 }))).toBeTruthy();
  expect(within(dialog).getByText(t('trial.unassessed', { count: 2 }))).toBeTruthy();
  expect(within(dialog).getByText('Somchai')).toBeTruthy();
  expect(app.received(TRIAL).map(({ body }) => body)).toEqual([{ values: { 'risk.reviewScore': 15 } }]);
  expect(app.received('PUT /api/operator/settings/{key}')).toEqual([]);
});

test('another value has not been tried yet; an invalid one is reported', async () => {
  const dialog = await edit('15');
  press(t('trial.button'));
  await within(dialog).findByText(t('trial.title'));
  fireEvent.change(within(dialog).getByLabelText(t('settings.unit-points')), { target: { value: '16' } });
  await waitFor(() => expect(within(dialog).queryByText(t('trial.title'))).toBeNull());
  app.refuse(TRIAL, 'INVALID_REQUEST');
  press(t('trial.button'));
  expect(await within(dialog).findByRole('alert')).toBeTruthy();
});

test('an operator with access to risk settings only uses the call for them', async () => {
  app.reply('PUT /api/operator/risk-settings/{key}', { state: 'UNCHANGED', approval: 'AP1' });
  const dialog = await edit('15', ['setting.read', 'risk.manage']);
  fireEvent.change(within(dialog).getByLabelText(new RegExp(t('field.reason'))), {
    target: { value: 'as tried' },
  });
  press(t('channel.save'));
  await noticed(t('approval.requested'));
});

test('a setting that another has changed meanwhile is saved after its newer version was shown', async () => {
  const dialog = await edit('15');
  type(/Reason/, 'fewer reviews');
  app.reply(SETTINGS, { settings: [{ ...SETTING, value: 60, version: 5 }] });
  app.refuse(CHANGE, 'ROW_CHANGED');
  press(t('channel.save'));
  expect(await within(dialog).findByText(t('edit.newer'))).toBeTruthy();
  press(t('edit.showNewer'));
  await waitFor(() => expect(screen.queryByText(t('edit.newer'))).toBeNull());
  const input = within(await screen.findByRole('dialog')).getByLabelText<HTMLInputElement>(
    t('settings.unit-points'),
  );
  expect(input.value).toBe('60');
  fireEvent.change(input, { target: { value: '15' } });
  type(/Reason/, 'fewer reviews');
  app.reply(CHANGE, { state: 'DONE', approval: null });
  press(t('channel.save'));
  await waitFor(() => expect(app.received(CHANGE).at(-1)?.body).toMatchObject({ value: 15, version: 5 }));
});
