import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { AlertsPage } from './alerts.tsx';

const LIST = 'GET /api/operator/alerts';
const TAKE = 'POST /api/operator/alerts/{id}/take';
const DISMISS = 'POST /api/operator/alerts/{id}/dismiss';
const app = await consoleApp();
const { t } = i18n;

type Alert = OperatorApi[typeof LIST]['reply']['alerts'][number];

const ALERT: Alert = {
  id: '7',
  kind: 'payout-unknown',
  subject: 'withdrawal:WD1',
  detail: 'the bank has not reported whether it paid',
  state: 'OPEN',
  openedAt: '2026-11-23T06:00:00.000Z',
  assignee: null,
  closedAt: null,
  closedBy: null,
  reason: null,
  dismissed: null,
};
const OTHERS: Alert = {
  ...ALERT,
  state: 'INVESTIGATING',
  assignee: { by: 'malee', since: '2026-11-23T06:05:00.000Z', mine: false },
};

const bodies = (call: typeof TAKE | typeof DISMISS) => app.received(call).map(({ body }) => body);
const list = (alert: Alert): void => app.reply(LIST, { ...ONE_PAGE, alerts: [alert], total: 1 });

beforeEach(() => list(ALERT));

async function show(): Promise<void> {
  app.show(<AlertsPage />, '/alerts');
  await screen.findByText(t('alert.payout-unknown'));
}

test('an alert leads to its subject, and is taken with a key', async () => {
  app.reply(TAKE, { message: 'OK' });
  await show();
  expect(screen.getByRole('link', { name: 'WD1' }).getAttribute('href')).toContain('open=WD1');
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key: 'c' });
  await waitFor(() => expect(bodies(TAKE)).toEqual([{}]));
});

test('it is dismissed with a reason only; the dialog shows the former reason', async () => {
  list({
    ...ALERT,
    dismissed: { by: 'operator:malee', at: '2026-11-22T06:00:00.000Z', reason: 'the bank was closed' },
  });
  app.reply(DISMISS, { message: 'OK' });
  await show();
  press(t('alerts.dismiss'));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('the bank was closed');
  const yes = within(dialog).getByRole<HTMLButtonElement>('button', { name: t('alerts.dismiss') });
  expect(yes.disabled).toBe(true);
  type(new RegExp(t('alerts.dismissReason')), 'closed on Mondays');
  yes.click();
  await noticed(t('banner.saved'));
  expect(bodies(DISMISS)).toEqual([{ reason: 'closed on Mondays' }]);
});

test('one that another operator investigates must be taken over by name before it can be ended', async () => {
  list(OTHERS);
  await show();
  expect(screen.queryByRole('button', { name: t('alerts.resolve') })).toBeNull();
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key: 'a' });
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain(t('alerts.takeOverFrom', { by: 'malee' }));
  app.refuse(TAKE, 'CLAIMED', { by: 'som' });
  within(dialog)
    .getByRole('button', { name: t('alerts.takeOver') })
    .click();
  await noticed(refusal('CLAIMED').replace('–', 'som'));
  expect(bodies(TAKE)).toEqual([{ from: 'malee' }]);
});
