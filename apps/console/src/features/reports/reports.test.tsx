import { type OperatorApi, reports } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { AmbiguousMatches } from './ambiguous-matches.tsx';
import { ReportsPage } from './reports.tsx';

const LIST = 'GET /api/operator/reports';
const TAKE = 'POST /api/operator/reports/{id}/claim';
const CREDIT = 'POST /api/operator/reports/{id}/credit';
const REFUSE = 'POST /api/operator/reports/{id}/refuse';
const app = await consoleApp();
const { t } = i18n;

type Report = OperatorApi[typeof LIST]['reply']['reports'][number];

const REPORT: Report = {
  id: 'RP1',
  member: MEMBER,
  amount: 500,
  currency: 'BAHT',
  state: 'PENDING',
  createdAt: '2026-11-23T06:00:00.000Z',
  transactions: [
    {
      id: '7',
      state: 'UNMATCHED',
      bankCode: 'KBANK',
      bankReference: 'REF7',
      payerBank: 'SCB',
      payerAccount: 'xxx-1234',
      likely: MEMBER,
      paidAt: '2026-11-23T05:50:00.000Z',
      bookings: [],
    },
  ],
  credits: [],
  assignment: null,
  approval: null,
};

function list(report: Report): void {
  app.reply(LIST, { ...ONE_PAGE, reports: [report], total: 1, sums: [{ currency: 'BAHT', amount: 500 }] });
}

beforeEach(() => {
  list(REPORT);
  app.reply(TAKE, { by: 'somsri', until: '2026-11-23T06:10:00.000Z', mine: true });
});

test('reports that wait are listed; other states are wanted or left out', async () => {
  const sent = () => new URLSearchParams(app.received(LIST).at(-1)?.path.split('?')[1]).get('state');
  app.show(<ReportsPage />, '/reports');
  await screen.findByText('Somchai');
  expect(sent()).toBe('PENDING');
  press(`${t('col.state')} (1)`);
  const states = await screen.findByRole('group', { name: t('col.state') });
  within(states)
    .getByRole('checkbox', { name: t('state.FAILED') })
    .click();
  await waitFor(() => expect(sent()).toBe('PENDING,FAILED'));
  press(t('filter.clear'));
  await waitFor(() => expect(sent()).toBe('PENDING,SUCCESS,FAILED'));
});

async function openDialog(name: string): Promise<HTMLElement> {
  app.show(<ReportsPage />, '/reports');
  await screen.findByText('Somchai');
  press(name);
  return screen.findByRole('dialog');
}

const yes = (dialog: HTMLElement, name: string) =>
  within(dialog).getByRole<HTMLButtonElement>('button', { name });
const reason = (text: string) => type(new RegExp(t('field.reason')), text);

test('a credit takes the row, needs a reason, and a double press sends the likely transaction once', async () => {
  app.reply(CREDIT, { state: 'SUCCESS', approval: null });
  const dialog = await openDialog(t('reports.credit'));
  expect(app.received(TAKE)).toHaveLength(1);
  const send = yes(dialog, t('reports.credit'));
  expect(send.disabled).toBe(true);
  reason(' slip seen ');
  fireEvent.click(send);
  fireEvent.click(send);
  await noticed(t('reports.done', { state: t('state.SUCCESS') }));
  expect(app.received(CREDIT).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/operator/reports/RP1/credit', body: { reason: 'slip seen', transaction: '7' } },
  ]);
});

test('above the limit the dialog names the second approval', async () => {
  app.reply(CREDIT, { state: 'PENDING', approval: 'AP1' });
  const dialog = await openDialog(t('reports.credit'));
  reason('slip seen');
  fireEvent.click(yes(dialog, t('reports.credit')));
  await noticed(t('approval.requested'));
});

test('an amount credited before is warned of, and no transaction is chosen for the operator', async () => {
  list({ ...REPORT, transactions: [], credits: [{ id: 'DP1', createdAt: '2026-11-23T05:55:00.000Z' }] });
  const dialog = await openDialog(t('reports.credit'));
  expect(within(dialog).getByRole('alert').textContent).toContain('DP1');
  reason('slip seen');
  expect(yes(dialog, t('reports.credit')).disabled).toBe(true);
});

test('a transaction that may already be booked is not chosen for the operator; chosen, it says as what', async () => {
  const bookings = [{ kind: 'return', id: 'WD1', at: '2026-11-23T05:40:00.000Z' } as const];
  list({ ...REPORT, transactions: REPORT.transactions.map((one) => ({ ...one, bookings })) });
  const dialog = await openDialog(t('reports.credit'));
  reason('slip seen');
  expect(yes(dialog, t('reports.credit')).disabled).toBe(true);
  expect(within(dialog).queryByRole('alert')).toBeNull();
  fireEvent.click(within(dialog).getByRole('combobox', { name: new RegExp(t('reports.transaction')) }));
  fireEvent.click(await screen.findByRole('option', { name: /REF7/ }));
  const warning = await within(dialog).findByRole('alert');
  expect(warning.textContent).toContain(t('bookings.return', { id: 'WD1' }));
  expect(yes(dialog, t('reports.credit')).disabled).toBe(false);
});

test('a row that cannot be taken is not settled, and the reason is shown as text', async () => {
  app.show(<ReportsPage />, '/reports');
  await screen.findByText('Somchai');
  for (const code of reports.takeReport.refusals) {
    app.refuse(TAKE, code);
    press(t('reports.credit'));
    await noticed(refusal(code));
    expect(screen.queryByRole('dialog')).toBeNull();
  }
});

test('each refusal of a credit is shown as text and the dialog stays', async () => {
  const send = yes(await openDialog(t('reports.credit')), t('reports.credit'));
  reason('slip seen');
  await app.refuseEach(CREDIT, reports.creditReport.refusals, send);
});

test('a refusal of a report sends its reason, and each refusal of it is shown as text', async () => {
  const send = yes(await openDialog(t('reports.refuse')), t('reports.refuse'));
  reason('no such transfer');
  await app.refuseEach(REFUSE, reports.refuseReport.refusals, send);
  expect(app.received(REFUSE)[0]?.body).toEqual({ reason: 'no such transfer' });
});

test('a transfer that may be of a manually credited report is decided by choice: no answer is chosen before', async () => {
  const MATCHES = 'GET /api/operator/doubts';
  const DECIDE = 'POST /api/operator/doubts/{id}/decide';
  const match: OperatorApi[typeof MATCHES]['reply']['ambiguousMatches'][number] = {
    id: '9',
    source: 'FEED',
    bankCode: 'KBANK',
    bankReference: 'REF9',
    amount: 500,
    currency: 'BAHT',
    payerBank: 'SCB',
    payerAccount: 'xxx-1234',
    payerName: 'Somchai',
    paidAt: '2026-11-23T05:50:00.000Z',
    transactions: [],
    reports: [{ id: 'RP1', member: MEMBER, createdAt: '2026-11-23T06:00:00.000Z' }],
    assignment: null,
  };
  app.reply(MATCHES, {
    ...ONE_PAGE,
    ambiguousMatches: [match],
    total: 1,
    sums: [{ currency: 'BAHT', amount: 500 }],
  });
  app.reply('POST /api/operator/doubts/{id}/claim', {
    by: 'somsri',
    until: '2026-11-23T06:10:00.000Z',
    mine: true,
  });
  app.reply('GET /api/operator/candidates', { candidates: [] });
  app.reply(DECIDE, { state: 'CREDITED', approval: null });
  app.show(<AmbiguousMatches />, '/reports');
  fireEvent.click(await screen.findByText(t('matches.decide')));
  const dialog = await screen.findByRole('dialog');
  reason('Paid late by the bank');
  expect(yes(dialog, t('matches.decide')).disabled).toBe(true);
  fireEvent.click(within(dialog).getByRole('combobox', { name: new RegExp(t('matches.is')) }));
  fireEvent.click(await screen.findByRole('option', { name: new RegExp(MEMBER.name) }));
  fireEvent.click(yes(dialog, t('matches.decide')));
  await waitFor(() =>
    expect(app.received(DECIDE).map(({ body }) => body)).toEqual([
      { reason: 'Paid late by the bank', report: 'RP1' },
    ]),
  );
});
