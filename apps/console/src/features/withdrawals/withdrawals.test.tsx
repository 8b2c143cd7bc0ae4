import { type OperatorApi, withdrawals } from '@krapao/contract/operator';
import { type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, noticed, refusal } from '../../testing/console-app.tsx';
import { WithdrawalsPage } from './withdrawals.tsx';

const LIST = 'GET /api/operator/withdrawals';
const READ = 'GET /api/operator/withdrawals/{id}';
const TAKE = 'POST /api/operator/withdrawals/{id}/claim';
const APPROVE = 'POST /api/operator/withdrawals/{id}/approve';
const REJECT = 'POST /api/operator/withdrawals/{id}/reject';
const app = await consoleApp();
const { t } = i18n;

type Row = OperatorApi[typeof LIST]['reply']['withdrawals'][number];

const AT = '2026-11-23T06:00:00.000Z';
const ROW: Row = {
  id: 'WD1',
  member: MEMBER,
  amount: 2500,
  currency: 'BAHT',
  status: 'REVIEW',
  automatic: false,
  account: {
    bankCode: 'KBANK',
    bankName: 'กสิกรไทย',
    bankNameEn: 'Kasikornbank',
    bankColor: null,
    accountNo: 'xxx-x-x7890',
    accountName: 'SOMCHAI JAIDEE',
  },
  createdAt: AT,
  updatedAt: AT,
  heldUntil: null,
  unplayed: null,
  returnedAt: null,
  assignment: null,
  approval: null,
};
const DETAIL: OperatorApi[typeof READ]['reply'] = {
  ...ROW,
  reason: null,
  proof: null,
  retryOf: null,
  retriedBy: null,
  returnCandidates: [],
  needsChecker: false,
  memberSince: AT,
  paidBefore: 3,
  depositedSince: 1000,
  gameResultSince: -200,
  balanceAfter: 0,
  nameMatches: true,
  payout: null,
  history: [],
};
const NONE = { count: 0, oldest: null };
const TODAY: OperatorApi['GET /api/operator/today']['reply'] = {
  waiting: {
    withdrawals: { count: 1, oldest: AT },
    unmatched: NONE,
    reports: NONE,
    slips: NONE,
    transfers: NONE,
    approvals: NONE,
    chats: NONE,
    alerts: NONE,
  },
  cash: [],
  now: AT,
};

beforeEach(() => {
  app.reply(LIST, { withdrawals: [ROW], total: 1, sums: [{ currency: 'BAHT', amount: 2500 }] });
  app.reply(READ, DETAIL);
  app.reply('GET /api/operator/today', TODAY);
  app.reply(TAKE, { by: 'somsri', until: '2026-11-23T06:10:00.000Z', mine: true });
});

/** Moves to the first row and presses the key of an action. */
async function openDialog(key: 'a' | 'r'): Promise<HTMLElement> {
  app.show(<WithdrawalsPage />, '/withdrawals');
  await screen.findByText('Somchai');
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key });
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(app.received(READ)).toHaveLength(1));
  return dialog;
}

const yes = (dialog: HTMLElement, name: string) =>
  within(dialog).getByRole<HTMLButtonElement>('button', { name });

test('the queue asks for what waits, oldest first', async () => {
  app.show(<WithdrawalsPage />, '/withdrawals');
  await screen.findByText('Somchai');
  const queries = app.received(LIST).map(({ path }) => new URLSearchParams(path.split('?')[1]));
  expect(queries).toContainEqual(
    new URLSearchParams({ page: '1', limit: '25', sort: 'createdAt', status: 'REVIEW' }),
  );
});

test('an approval takes the row first; a double press sends the seen state once', async () => {
  app.reply(APPROVE, { state: 'QUEUED', approval: null });
  const send = yes(await openDialog('a'), t('withdrawals.approve'));
  expect(app.received(TAKE)).toHaveLength(1);
  fireEvent.click(send);
  fireEvent.click(send);
  await noticed(t('withdrawals.done-approve' as never));
  expect(app.received(APPROVE).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/operator/withdrawals/WD1/approve', body: { status: 'REVIEW' } },
  ]);
});

test('above the limit the button says that a second person decides', async () => {
  app.reply(READ, { ...DETAIL, needsChecker: true });
  app.reply(APPROVE, { state: 'REVIEW', approval: 'AP1' });
  const dialog = await openDialog('a');
  await within(dialog).findByText(t('withdrawals.needsTwo'));
  fireEvent.click(yes(dialog, t('withdrawals.sendToChecker')));
  await noticed(t('approval.asked'));
});

test('a rejection needs a reason, which is sent', async () => {
  app.reply(REJECT, { state: 'FAILED', approval: null });
  const send = yes(await openDialog('r'), t('withdrawals.reject'));
  expect(send.disabled).toBe(true);
  type(new RegExp(t('field.reason')), ' name differs ');
  fireEvent.click(send);
  await noticed(t('withdrawals.done-reject' as never));
  expect(app.received(REJECT).map(({ body }) => body)).toEqual([
    { status: 'REVIEW', reason: 'name differs' },
  ]);
});

test('a row that cannot be taken is not decided, and why is said in words', async () => {
  app.show(<WithdrawalsPage />, '/withdrawals');
  await screen.findByText('Somchai');
  fireEvent.keyDown(document, { key: 'j' });
  for (const code of withdrawals.takeWithdrawal.refusals) {
    app.refuse(TAKE, code);
    fireEvent.keyDown(document, { key: 'a' });
    await noticed(refusal(code));
    expect(screen.queryByRole('dialog')).toBeNull();
  }
});

test('each refusal of an approval is said in words and the question stays', async () => {
  const send = yes(await openDialog('a'), t('withdrawals.approve'));
  await app.refuseEach(APPROVE, withdrawals.approveWithdrawal.refusals, send);
});

test('each refusal of a rejection is said in words and the question stays', async () => {
  const send = yes(await openDialog('r'), t('withdrawals.reject'));
  type(new RegExp(t('field.reason')), 'name differs');
  await app.refuseEach(REJECT, withdrawals.rejectWithdrawal.refusals, send);
});

test('a click on a row opens it beside the list, and Escape closes it', async () => {
  app.show(<WithdrawalsPage />, '/withdrawals');
  fireEvent.click((await screen.findByText('Somchai')).closest('tr') as HTMLElement);
  expect(await screen.findByRole('complementary')).toBeTruthy();
  expect(location.search).toBe('?open=WD1');
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(location.search).toBe('');
});
