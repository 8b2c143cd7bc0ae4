import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
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

test('the assignment is one of several wanted or left out', async () => {
  app.show(<AlertsPage />, '/alerts?assigned=!others');
  await screen.findByText(t('alert.payout-unknown'));
  expect(app.received(LIST).at(-1)?.path).toContain('assigned=%21others');
  expect(
    screen.getByText(t('filter.isNot', { name: t('col.assignment'), value: t('assignment.others') })),
  ).toBeTruthy();
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

test('the kinds that can be filtered by are those the operator may see', async () => {
  app.show(<AlertsPage />, '/alerts', ['alert.close', 'withdrawal.read']);
  await screen.findByText(t('alert.payout-unknown'));
  press(t('col.why'));
  const kinds = await screen.findByRole('group', { name: t('col.why') });
  expect(within(kinds).getByRole('checkbox', { name: t('alert.payout-unknown') })).toBeTruthy();
  expect(within(kinds).queryByRole('checkbox', { name: t('alert.webhook-failing') })).toBeNull();
  within(kinds)
    .getByRole('checkbox', { name: t('alert.payout-unknown') })
    .click();
  await waitFor(() => expect(app.received(LIST).at(-1)?.path).toContain('kind=payout-unknown'));
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

describe('many alerts', () => {
  const second = { ...ALERT, id: '9', subject: 'withdrawal:WD9' };
  const others = { ...OTHERS, id: '8', subject: 'withdrawal:WD8' };
  const count = (label: string, rows: number) => `${label} (${rows})`;
  const listAll = (...alerts: Alert[]) => app.reply(LIST, { ...ONE_PAGE, alerts, total: alerts.length });

  /** Opens the dialog that dismisses all of them, with a reason filled in. */
  async function dismissAll(rows: number): Promise<HTMLElement> {
    app.show(<AlertsPage />, '/alerts');
    await screen.findByRole('link', { name: 'WD9' });
    fireEvent.keyDown(document, { key: 'X' });
    press(count(t('alerts.dismiss'), rows));
    const dialog = await screen.findByRole('dialog');
    type(new RegExp(t('alerts.dismissReason')), 'a drill of the bank');
    return dialog;
  }

  const closeReport = () =>
    screen
      .getAllByRole('button', { name: t('btn.close') })
      .at(-1)!
      .click();

  const yes = (dialog: HTMLElement, rows: number) =>
    within(dialog).getByRole<HTMLButtonElement>('button', { name: count(t('alerts.dismiss'), rows) });

  test('those that cannot be ended are named before, and each has its result', async () => {
    listAll(ALERT, others, second);
    app.reply(DISMISS, { message: 'OK' });
    const dialog = await dismissAll(3);
    expect(dialog.textContent).toContain(t('bulk.possible', { possible: 2, count: 3 }));
    expect(dialog.textContent).toContain(refusal('CLAIMED').replace('–', 'malee'));
    yes(dialog, 2).click();
    expect(await screen.findByText(t('bulk.result', { done: 2, failed: 1 }))).toBeTruthy();
    expect(bodies(DISMISS)).toEqual([{ reason: 'a drill of the bank' }, { reason: 'a drill of the bank' }]);
    closeReport();
    await waitFor(() => expect(screen.queryByText(count(t('alerts.dismiss'), 3))).toBeNull());
  });

  test('a refused one does not stop the others, a lost answer does, and the rest stays selected', async () => {
    listAll(ALERT, second);
    app.refuse(DISMISS, 'ROW_CHANGED', { state: 'RESOLVED' });
    const release = app.hold(DISMISS);
    const dialog = await dismissAll(2);
    yes(dialog, 2).click();
    expect(await within(dialog).findByText(t('bulk.progress', { done: 0, count: 2 }))).toBeTruthy();
    await waitFor(() => expect(bodies(DISMISS)).toHaveLength(1));
    press(t('bulk.stop'));
    release();
    expect(await screen.findByText(t('bulk.result', { done: 0, failed: 1 }))).toBeTruthy();
    expect(screen.getByText(t('bulk.untried', { count: 1 }))).toBeTruthy();
    expect(bodies(DISMISS)).toHaveLength(1);
    closeReport();
    app.dropConnection(DISMISS);
    (await screen.findByRole('button', { name: count(t('alerts.dismiss'), 1) })).click();
    const again = await screen.findByRole('dialog');
    type(new RegExp(t('alerts.dismissReason')), 'a drill of the bank');
    yes(again, 1).click();
    await noticed(refusal('network'));
    expect(yes(again, 1).disabled).toBe(false);
  });

  test('all that match are selected over all pages', async () => {
    app.reply(LIST, { ...ONE_PAGE, alerts: [ALERT, second], total: 3 });
    app.show(<AlertsPage />, '/alerts');
    await screen.findByRole('link', { name: 'WD9' });
    fireEvent.keyDown(document, { key: 'X' });
    listAll(ALERT, second, others);
    press(t('bulk.selectAll', { count: 3 }));
    expect(await screen.findByRole('button', { name: count(t('alerts.take'), 3) })).toBeTruthy();
  });

  test('no row stays selected that another filter hides', async () => {
    listAll(ALERT, second);
    app.show(<AlertsPage />, '/alerts');
    await screen.findByRole('link', { name: 'WD9' });
    fireEvent.keyDown(document, { key: 'X' });
    expect(screen.getByRole('button', { name: count(t('alerts.take'), 2) })).toBeTruthy();
    history.pushState(null, '', '/alerts?assigned=nobody');
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: count(t('alerts.take'), 2) })).toBeNull(),
    );
  });

  test('what another filter has cleared is not selected again on the way back', async () => {
    listAll(ALERT, second);
    app.show(<AlertsPage />, '/alerts');
    await screen.findByRole('link', { name: 'WD9' });
    fireEvent.keyDown(document, { key: 'X' });
    for (const address of ['/alerts?assigned=nobody', '/alerts']) {
      history.pushState(null, '', address);
      await waitFor(() => expect(screen.queryByText(t('bulk.clear'))).toBeNull());
      await screen.findByRole('link', { name: 'WD9' });
    }
    expect(screen.queryByText(t('bulk.clear'))).toBeNull();
  });

  test('all rows of a filter that arrive after the operator left it leave the new selection as it is', async () => {
    app.reply(LIST, { ...ONE_PAGE, alerts: [ALERT, second], total: 3 });
    const go = async (address: string) => {
      history.pushState(null, '', address);
      await waitFor(() => expect(screen.queryByText(t('bulk.clear'))).toBeNull());
      await screen.findByRole('link', { name: 'WD9' });
    };
    app.show(<AlertsPage />, '/alerts?assigned=nobody');
    await screen.findByRole('link', { name: 'WD9' });
    await go('/alerts');
    await waitFor(() => expect(app.received(LIST)).toHaveLength(2));
    fireEvent.keyDown(document, { key: 'X' });
    const release = app.hold(LIST);
    press(t('bulk.selectAll', { count: 3 }));
    await waitFor(() => expect(app.received(LIST)).toHaveLength(3));
    await go('/alerts?assigned=nobody');
    fireEvent.keyDown(document, { key: 'j' });
    fireEvent.keyDown(document, { key: 'x' });
    const one = { name: count(t('alerts.take'), 1) };
    expect(await screen.findByRole('button', one)).toBeTruthy();
    listAll(ALERT, second, others);
    release();
    await queries.invalidateQueries({ queryKey: ['alerts'] });
    await screen.findByRole('link', { name: 'WD8' });
    expect(screen.getByRole('button', one)).toBeTruthy();
  });
});
