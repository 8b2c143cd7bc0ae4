import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { UnmatchedPage } from './unmatched.tsx';

const LIST = 'GET /api/operator/unmatched';
const TAKE = 'POST /api/operator/unmatched/{id}/claim';
const CANDIDATES = 'GET /api/operator/candidates';
const ASSIGN = 'POST /api/operator/unmatched/{id}/assign';
const BOOKINGS = 'GET /api/operator/unmatched/{id}/bookings';
const TIE = 'POST /api/operator/unmatched/{id}/tie';
const RETURN = 'POST /api/operator/unmatched/{id}/return';
const app = await consoleApp();
const { t } = i18n;

type Row = OperatorApi[typeof LIST]['reply']['transactions'][number];
type Candidate = OperatorApi[typeof CANDIDATES]['reply']['candidates'][number];

const ROW: Row = {
  id: '7',
  bankCode: 'KBANK',
  bankReference: 'REF7',
  amount: 200.5,
  currency: 'BAHT',
  payerBank: 'KBANK',
  payerAccount: 'xxx-x-x7001-x',
  payerName: 'MR. SOMCHAI J',
  reason: 'SEVERAL_MEMBERS',
  state: 'UNMATCHED',
  likely: null,
  candidates: [
    { id: '100001', name: 'Somchai A' },
    { id: '100002', name: 'Somchai B' },
  ],
  paidAt: '2026-11-23T05:50:00.000Z',
  receivedAt: '2026-11-23T05:51:00.000Z',
  assignment: null,
  approval: null,
};
const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  name: 'Somchai Jaidee',
  phone: `081•••${id.slice(-4)}`,
  status: 'ACTIVE',
  currency: 'BAHT',
  account: { bankCode: 'KBANK', accountNo: '••7001', accountName: 'SOMCHAI JAIDEE' },
  deposits: [],
  ...more,
});

beforeEach(() => {
  app.reply(BOOKINGS, { bookings: [] });
  app.reply(LIST, {
    ...ONE_PAGE,
    transactions: [ROW],
    total: 1,
    sums: [{ currency: 'BAHT', amount: 200.5 }],
  });
  app.reply(TAKE, { by: 'somsri', until: '2026-11-23T06:10:00.000Z', mine: true });
  app.reply('GET /api/operator/deposit-accounts', { channels: [] });
  app.reply(CANDIDATES, {
    candidates: [candidate('100001'), candidate('100002'), candidate('100003', { currency: 'LAK' })],
  });
});

const sent = () => new URLSearchParams(app.received(LIST).at(-1)?.path.split('?')[1]);

test('states and banks are wanted or left out; without a choice all states are listed', async () => {
  app.show(<UnmatchedPage />, '/unmatched?bank=!SCB');
  await screen.findByText('Somchai A');
  expect(sent().get('state')).toBe('UNMATCHED');
  expect(sent().get('bank')).toBe('!SCB');
  expect(screen.getByText(t('filter.isNot', { name: t('withdrawals.bank'), value: 'SCB' }))).toBeTruthy();
  press(`${t('withdrawals.bank')} (1)`);
  const banks = await screen.findByRole('group', { name: t('withdrawals.bank') });
  within(banks).getByRole('checkbox', { name: 'KBANK' }).click();
  await waitFor(() => expect(sent().get('bank')).toBe('!SCB,KBANK'));
  const chip = t('filter.is', { name: t('col.state'), value: t('state.UNMATCHED') });
  press(t('filter.remove', { filter: chip }));
  await waitFor(() => expect(sent().get('state')).toBe('UNMATCHED,CREDITED,RETURNED'));
});

test('bookings that cannot be read are an error and a button that reads again', async () => {
  app.refuse(BOOKINGS, 'INTERNAL_SERVER_ERROR', {}, 503);
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  press(t('unmatched.assign'));
  const dialog = await screen.findByRole('dialog');
  (await within(dialog).findAllByRole('radio'))[0]?.click();
  const alert = await within(dialog).findByRole('alert');
  expect(alert.textContent).toBe(refusal('INTERNAL_SERVER_ERROR'));
  app.reply(BOOKINGS, { bookings: [] });
  press(t('btn.retry'));
  await waitFor(() => expect(alert.isConnected).toBe(false));
});

test('money that may already be booked says as what, and is credited by two operators', async () => {
  const at = '2026-11-23T05:40:00.000Z';
  app.reply(BOOKINGS, { bookings: [{ kind: 'return', id: 'WD1', at }] });
  app.reply(ASSIGN, { state: 'UNMATCHED', approval: 'AP1' });
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  press(t('unmatched.assign'));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByRole('alert')).toBeNull();
  (await within(dialog).findAllByRole('radio'))[0]?.click();
  const warning = await within(dialog).findByRole('alert');
  expect(warning.textContent).toContain(t('bookings.return', { id: 'WD1' }));
  expect(app.received(BOOKINGS).at(-1)?.path).toContain('member=100001');
  type(new RegExp(t('field.reason')), 'paid again');
  within(dialog)
    .getByRole('button', { name: t('withdrawals.sendToChecker') })
    .click();
  await noticed(t('approval.requested'));
});

test('money that is already booked is tied to its report or return, not to a deposit', async () => {
  const at = '2026-11-23T05:40:00.000Z';
  app.reply(BOOKINGS, {
    bookings: [
      { kind: 'deposit', id: 'DP1', at },
      { kind: 'report', id: 'RP1', at },
    ],
  });
  app.reply(TIE, { state: 'UNMATCHED', approval: 'AP1' });
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  press(t('unmatched.assign'));
  const dialog = await screen.findByRole('dialog');
  (await within(dialog).findAllByRole('radio'))[0]?.click();
  const warning = await within(dialog).findByRole('alert');
  const offers = within(warning).getAllByRole('button', { name: t('bookings.same') });
  expect(offers).toHaveLength(1);
  offers[0]?.click();
  const tie = await screen.findByRole('dialog', { name: t('bookings.same') });
  expect(tie.textContent).toContain(t('bookings.report', { id: 'RP1' }));
  expect(tie.textContent).toContain(t('bookings.sameNote'));
  type(new RegExp(t('field.reason')), 'its late transfer');
  within(tie)
    .getByRole('button', { name: t('withdrawals.sendToChecker') })
    .click();
  await noticed(t('approval.requested'));
  expect(app.received(TIE).map(({ path, body }) => [path, body])).toEqual([
    ['/api/operator/unmatched/7/tie', { kind: 'report', booking: 'RP1', reason: 'its late transfer' }],
  ]);
  expect(app.received(ASSIGN)).toEqual([]);
});

test('money that fits several members names them, and is credited to one by one press, who is named before', async () => {
  app.reply(ASSIGN, { state: 'CREDITED', approval: null });
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  expect(screen.getByText('Somchai B')).toBeTruthy();
  press(t('unmatched.assign'));
  const dialog = await screen.findByRole('dialog');
  const choices = await within(dialog).findAllByRole('radio');
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('081•••0001'),
    expect.stringContaining('081•••0002'),
    expect.stringContaining('₭'),
  ]);
  // A member of another currency cannot be chosen.
  expect(choices[2]).toHaveProperty('disabled', true);
  const yes = within(dialog).getByRole<HTMLButtonElement>('button', { name: t('unmatched.assign') });
  type(new RegExp(t('field.reason')), 'paid from her account');
  expect(yes.disabled).toBe(true);
  choices[1]?.click();
  await waitFor(() => expect(within(dialog).getByRole('status').textContent).toContain('(100002)'));
  expect(yes.disabled).toBe(false);
  yes.click();
  await noticed(t('unmatched.assigned'));
  expect(app.received(ASSIGN).map(({ body }) => body)).toEqual([
    { member: '100002', reason: 'paid from her account' },
  ]);
});

test('Enter chooses from what was typed, never a row of the search before; what is not shown is not chosen', async () => {
  app.reply(ASSIGN, { state: 'CREDITED', approval: null });
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  press(t('unmatched.assign'));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findAllByRole('radio');
  app.reply(CANDIDATES, { candidates: [candidate('100777')] });
  type(new RegExp(t('col.member')), '100777');
  fireEvent.keyDown(within(dialog).getByPlaceholderText(t('candidates.hint')), { key: 'Enter' });
  await waitFor(() => expect(within(dialog).getByRole('status').textContent).toContain('(100777)'));
  type(new RegExp(t('field.reason')), 'her second account');
  const yes = within(dialog).getByRole<HTMLButtonElement>('button', { name: t('unmatched.assign') });
  // The list is read again and she is no longer in it.
  app.reply(CANDIDATES, { candidates: [candidate('100001')] });
  await queries.invalidateQueries({ queryKey: ['candidates'] });
  await waitFor(() => expect(yes.disabled).toBe(true));
  expect(within(dialog).getByRole('status').textContent).toBe('');
  (await within(dialog).findAllByRole('radio'))[0]?.click();
  await waitFor(() => expect(yes.disabled).toBe(false));
  yes.click();
  await noticed(t('unmatched.assigned'));
  expect(app.received(ASSIGN).map(({ body }) => body)).toEqual([
    { member: '100001', reason: 'her second account' },
  ]);
});

test('members that could not be searched for are no empty result', async () => {
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  app.refuse(CANDIDATES, 'REQUEST_LIMIT');
  press(t('unmatched.assign'));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText(refusal('REQUEST_LIMIT'));
  expect(within(dialog).queryByText(t('find.nothing'))).toBeNull();
});

test('a row that another operator settled is marked and takes no action', async () => {
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('Somchai A');
  expect(screen.getByRole('button', { name: t('unmatched.assign') })).toBeTruthy();
  app.reply(LIST, { ...ONE_PAGE, transactions: [], total: 0, sums: [] });
  await queries.invalidateQueries({ queryKey: ['unmatched'] });
  await waitFor(() => expect(document.querySelector('tr[data-gone=true]')).toBeTruthy());
  const row = document.querySelector<HTMLElement>('tr[data-gone=true]')!;
  expect(within(row).queryByRole('button')).toBeNull();
  expect(row.className).not.toBe('');
});

test('another page size is another list, no row of which has gone', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...ROW,
      id: String(index + 1),
      bankReference: `REF${index}`,
    }));
  const choose = async (shown: number, to: number) => {
    fireEvent.click(screen.getByRole('combobox', { name: t('table.pageSize') }));
    const options = await screen.findAllByText(t('table.rows', { count: to }));
    fireEvent.click(options.at(-1)!);
    await waitFor(() => expect(document.querySelectorAll('tbody tr')).toHaveLength(shown));
  };
  app.reply('POST /api/operator/page-size', { message: 'OK' });
  app.reply(LIST, { ...ONE_PAGE, transactions: rows(25), total: 30, sums: [] });
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('REF24', { exact: false });
  app.reply(LIST, { ...ONE_PAGE, transactions: rows(30), total: 30, sums: [] });
  await choose(30, 50);
  await choose(25, 25);
  expect(document.querySelector('tr[data-gone=true]')).toBeNull();
});

test('many are requested as sent back with one proof; those of a colleague or with a request are named before', async () => {
  const assignment = { by: 'malee', until: '2026-11-23T06:10:00.000Z', mine: false };
  const others = { ...ROW, id: '8', bankReference: 'REF8', assignment };
  const own = { ...ROW, id: '9', bankReference: 'REF9', assignment: { ...assignment, mine: true } };
  const requested = { ...ROW, id: '10', bankReference: 'REF10', approval: '3' };
  const transactions = [ROW, others, own, requested];
  app.reply(LIST, { ...ONE_PAGE, transactions, total: 4, sums: [{ currency: 'BAHT', amount: 802 }] });
  app.reply(RETURN, { state: 'UNMATCHED', approval: '4' });
  app.show(<UnmatchedPage />, '/unmatched');
  await screen.findByText('REF10', { exact: false });
  expect(screen.queryByRole('checkbox', { name: t('table.select', { id: '10' }) })).toBeNull();
  fireEvent.keyDown(document, { key: 'X' });
  press(`${t('unmatched.return')} (3)`);
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain(t('bulk.possible', { possible: 2, count: 3 }));
  expect(dialog.textContent).toContain('REF8');
  type(new RegExp(`^${t('field.proof').replace(/[()]/g, '.')}`), 'KBANK returned both, 24/11');
  type(new RegExp(`^${t('field.reason')}`), 'the payer is no member');
  within(dialog)
    .getByRole('button', { name: `${t('unmatched.return')} (2)` })
    .click();
  expect(await screen.findByText(t('bulk.result', { done: 2, failed: 1 }))).toBeTruthy();
  expect(screen.getAllByText(t('state.APPROVAL')).length).toBeGreaterThanOrEqual(2);
  expect(app.received(TAKE).map(({ path }) => path)).toEqual(['/api/operator/unmatched/7/claim']);
  const body = { proof: 'KBANK returned both, 24/11', reason: 'the payer is no member' };
  expect(app.received(RETURN).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/operator/unmatched/7/return', body },
    { path: '/api/operator/unmatched/9/return', body },
  ]);
});
