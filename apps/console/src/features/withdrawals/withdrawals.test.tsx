import { type OperatorApi, withdrawals } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { refusalText } from '../../platform/error-text.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import {
  AT,
  WITHDRAWAL as DETAIL,
  NOTHING_FOUND,
  PART,
  WITHDRAWAL_ROW as ROW,
} from '../../testing/withdrawal.ts';
import { WithdrawalsPage } from './withdrawals.tsx';

const LIST = 'GET /api/operator/withdrawals';
const READ = 'GET /api/operator/withdrawals/{id}';
const TAKE = 'POST /api/operator/withdrawals/{id}/claim';
const APPROVE = 'POST /api/operator/withdrawals/{id}/approve';
const REJECT = 'POST /api/operator/withdrawals/{id}/reject';
const app = await consoleApp();
const { t } = i18n;

const ASSIGN = 'POST /api/operator/withdrawals/{id}/assign';
const UNDO = 'POST /api/operator/withdrawals/undo';
const APPROVE_MANY = 'POST /api/operator/withdrawals/approve';
const PREPARED = {
  id: 'contact-us',
  notice: { th: 'กรุณาติดต่อเรา', la: 'ກະລຸນາຕິດຕໍ່ພວກເຮົາ.', en: 'Please contact us.' },
};
const OTHER: typeof ROW = { ...ROW, id: 'WD2', member: { id: '100002', name: 'Somsri' } };

const NONE = { count: 0, oldest: null };
const TODAY: OperatorApi['GET /api/operator/today']['reply'] = {
  waiting: {
    withdrawals: { count: 1, oldest: AT },
    unmatched: NONE,
    reports: NONE,
    slips: NONE,
    kyc: NONE,
    transfers: NONE,
    approvals: NONE,
    chats: NONE,
    alerts: NONE,
  },
  cash: [],
  now: AT,
};

beforeEach(() => {
  app.reply(LIST, { ...ONE_PAGE, withdrawals: [ROW], total: 1, sums: [{ currency: 'BAHT', amount: 2500 }] });
  app.reply(READ, DETAIL);
  app.reply('GET /api/operator/banks', {
    banks: [{ code: 'KBANK', bankName: 'กสิกรไทย', bankNameEn: 'Kasikornbank' }],
  });
  app.reply('GET /api/operator/today', TODAY);
  app.reply('GET /api/operator/rejection-reasons', { reasons: [PREPARED] });
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

test('risk and assignment are wanted or left out; a colleague named by a link stays until removed', async () => {
  app.show(<WithdrawalsPage />, '/withdrawals?risk=!pass&assigned=mine&assignee=malee');
  await screen.findByText('Somchai');
  // The figures above the list read it too, with one row.
  const sent = () =>
    app
      .received(LIST)
      .map(({ path }) => new URLSearchParams(path.split('?')[1]))
      .findLast((query) => query.get('limit') === '25');
  expect(sent()?.get('risk')).toBe('!pass');
  expect(screen.getByText(t('filter.isNot', { name: t('col.risk'), value: t('risk.pass') }))).toBeTruthy();
  expect(screen.getAllByDisplayValue('malee')).not.toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: `${t('col.assignment')} (1)` }));
  const assignments = await screen.findByRole('group', { name: t('col.assignment') });
  within(assignments)
    .getByRole('checkbox', { name: t('assignment.nobody') })
    .click();
  await waitFor(() => expect(sent()?.get('assigned')).toBe('mine,nobody'));
  expect(sent()?.get('assignee')).toBe('malee');
});

test('the queue reads waiting withdrawals, oldest first', async () => {
  app.show(<WithdrawalsPage />, '/withdrawals');
  await screen.findByText('Somchai');
  const queries = app.received(LIST).map(({ path }) => new URLSearchParams(path.split('?')[1]));
  expect(queries).toContainEqual(new URLSearchParams({ limit: '25', sort: 'createdAt', status: 'REVIEW' }));
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

test('the row that keys decide is the one that is read beside the list', async () => {
  app.reply(LIST, { ...ONE_PAGE, withdrawals: [ROW, OTHER], total: 2, sums: [] });
  app.show(<WithdrawalsPage />, '/withdrawals?open=WD1');
  await screen.findByText('Somsri');
  fireEvent.keyDown(document, { key: 'j' });
  expect(new URLSearchParams(location.search).get('open')).toBe('WD2');
  fireEvent.keyDown(document, { key: 'k' });
  expect(new URLSearchParams(location.search).get('open')).toBe('WD1');
});

test('an assignment that is answered late does not put its row into the dialog of another', async () => {
  const assignment = { by: 'somsri', until: AT, mine: true };
  const rows = [ROW, { ...OTHER, assignment }];
  app.reply(LIST, { ...ONE_PAGE, withdrawals: rows, total: 2, sums: [] });
  const letGo = app.hold(TAKE);
  app.show(<WithdrawalsPage />, '/withdrawals');
  await screen.findByText('Somsri');
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key: 'a' });
  await waitFor(() => expect(app.received(TAKE)).toHaveLength(1));
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key: 'a' });
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Somsri');
  const reads = app.received(LIST).length;
  letGo();
  await waitFor(() => expect(app.received(LIST).length).toBeGreaterThan(reads));
  expect(screen.getByRole('dialog').textContent).toContain('Somsri');
});

test('a column hidden in the queue leaves those of the other lists, and those behind the panel, shown', async () => {
  app.reply('POST /api/operator/columns', { message: 'OK' });
  app.show(<WithdrawalsPage />, '/withdrawals?open=WD1');
  await screen.findByText('Somchai');
  fireEvent.click(screen.getByRole('button', { name: t('table.columns') }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: t('col.risk') }));
  await waitFor(() => expect(app.received('POST /api/operator/columns')).toHaveLength(1));
  const { shown } = app.received('POST /api/operator/columns')[0]!.body;
  expect(shown).toEqual(
    expect.arrayContaining(['age', 'account', 'assignment', 'asked', 'ended', 'decidedBy']),
  );
  expect(shown).not.toContain('risk');
});

test('figures that cannot be read are an error, not zeros', async () => {
  app.refuse('GET /api/operator/today', 'INTERNAL_SERVER_ERROR', {}, 503);
  app.show(<WithdrawalsPage />, '/withdrawals');
  await screen.findByText(refusal('INTERNAL_SERVER_ERROR'));
  expect(screen.queryByText(t('withdrawals.oldest'))).toBe(null);
});

test('above the limit the button names the second approval', async () => {
  app.reply(READ, { ...DETAIL, needsChecker: true });
  app.reply(APPROVE, { state: 'REVIEW', approval: 'AP1' });
  const dialog = await openDialog('a');
  await within(dialog).findByText(t('withdrawals.needsTwo'));
  fireEvent.click(yes(dialog, t('withdrawals.sendToChecker')));
  await noticed(t('approval.requested'));
});

test('a rejection needs a reason: a prepared one, which the member reads in their language', async () => {
  app.reply(REJECT, { state: 'FAILED', approval: null });
  const dialog = await openDialog('r');
  const send = yes(dialog, t('withdrawals.reject'));
  expect(send.disabled).toBe(true);
  expect(within(dialog).getByText(t('withdrawals.memberReads'))).toBeTruthy();
  fireEvent.click(within(dialog).getByText(PREPARED.notice.en));
  fireEvent.click(send);
  await noticed(t('withdrawals.done-reject' as never));
  expect(app.received(REJECT).map(({ body }) => body)).toEqual([
    { status: 'REVIEW', reason: PREPARED.notice.en, reasonCode: 'contact-us' },
  ]);
});

test('Ctrl+Enter sends from every field of a dialog, once', async () => {
  app.reply(REJECT, { state: 'FAILED', approval: null });
  const dialog = await openDialog('r');
  const prepared = within(dialog).getByText(PREPARED.notice.en);
  fireEvent.click(prepared);
  for (let time = 0; time < 2; time++) fireEvent.keyDown(prepared, { key: 'Enter', ctrlKey: true });
  await noticed(t('withdrawals.done-reject' as never));
  expect(app.received(REJECT)).toHaveLength(1);
});

test("or the operator's own words, which the member reads as they are", async () => {
  app.reply(REJECT, { state: 'FAILED', approval: null });
  const dialog = await openDialog('r');
  fireEvent.click(within(dialog).getByText(t('withdrawals.ownText')));
  expect(yes(dialog, t('withdrawals.reject')).disabled).toBe(true);
  type(new RegExp(t('withdrawals.memberReadsOwn')), ' name differs ');
  fireEvent.click(yes(dialog, t('withdrawals.reject')));
  await noticed(t('withdrawals.done-reject' as never));
  expect(app.received(REJECT).map(({ body }) => body)).toEqual([
    { status: 'REVIEW', reason: 'name differs' },
  ]);
});

test('after a decision the next waiting row is open, and the decision can be undone by a key', async () => {
  app.reply(LIST, { ...ONE_PAGE, withdrawals: [ROW, OTHER], total: 2, sums: [] });
  app.reply(APPROVE, { state: 'REVIEW', approval: null, undoSeconds: 5 });
  app.reply(UNDO, {
    results: [{ id: 'WD1', state: 'REVIEW', approval: null, refusal: null, by: null, now: null }],
  });
  fireEvent.click(yes(await openDialog('a'), t('withdrawals.approve')));
  await screen.findByText(t('withdrawals.decided-APPROVE'));
  await waitFor(() => expect(new URLSearchParams(location.search).get('open')).toBe('WD2'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.keyDown(document, { key: 'u' });
  await noticed(t('withdrawals.undone'));
  expect(app.received(UNDO).map(({ body }) => body)).toEqual([{ ids: ['WD1'] }]);
  await waitFor(() => expect(new URLSearchParams(location.search).get('open')).toBe('WD1'));
});

test('a row that cannot be taken is not decided, and the reason is shown as text', async () => {
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

test('each refusal of an approval is shown as text and the dialog stays', async () => {
  const send = yes(await openDialog('a'), t('withdrawals.approve'));
  await app.refuseEach(APPROVE, withdrawals.approveWithdrawal.refusals, send);
});

test('each refusal of a rejection is shown as text and the dialog stays', async () => {
  const dialog = await openDialog('r');
  const send = yes(dialog, t('withdrawals.reject'));
  fireEvent.click(within(dialog).getByText(PREPARED.notice.en));
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

test('the filters of amount, bank, age and risk stand in the address and are sent', async () => {
  const filters = 'amountMin=100&amountMax=5000&bank=KBANK&olderMinutes=60&risk=review&sort=-risk';
  app.show(<WithdrawalsPage />, `/withdrawals?${filters}`);
  await screen.findByText('Somchai');
  const sent = app.received(LIST).map(({ path }) => new URLSearchParams(path.split('?')[1]).toString());
  expect(sent.some((query) => filters.split('&').every((filter) => query.split('&').includes(filter)))).toBe(
    true,
  );
  fireEvent.change(screen.getByLabelText(t('withdrawals.amountMin')), { target: { value: '250' } });
  await waitFor(() => expect(new URLSearchParams(location.search).get('amountMin')).toBe('250'));
});

test('the panel shows why a withdrawal waits, and the parts of its score, with figures and links', async () => {
  app.reply(READ, {
    ...DETAIL,
    risk: { score: 80, outcome: 'held' },
    needsChecker: true,
    assessment: {
      score: 80,
      parts: [
        { ...PART, code: 'SHARED_DEVICE', points: 40, count: 2, members: [{ id: '100007', name: 'Malee' }] },
        { ...PART, code: 'SLIPS_REFUSED', points: 40, count: 3 },
      ],
      reasons: ['HELD', 'DAY', 'AMOUNT'],
      reviewScore: 30,
      holdScore: 70,
      automaticMax: 2000,
      automaticDayMax: 10_000,
      dayTotal: 9000,
    },
    notes: [{ id: '1', at: AT, by: 'somsri', text: 'Called back' }],
    conversation: { id: '7', at: AT, text: 'Where is my money?', waiting: true },
    recent: [{ id: 'WD0', amount: 300, status: 'SUCCESS', createdAt: AT, score: 0 }],
  });
  app.show(<WithdrawalsPage />, '/withdrawals?open=WD1');
  const panel = await screen.findByRole('complementary');
  for (const text of [
    t('reason.HELD', { score: 80, hold: 70 }),
    t('reason.DAY', { total: '฿9,000.00', limit: '฿10,000.00' }),
    t('reason.AMOUNT', { limit: '฿2,000.00' }),
    t('withdrawals.needsTwo'),
    t('risk.SHARED_DEVICE', { count: 2 }),
    t('risk.SLIPS_REFUSED', { count: 3 }),
    'Called back',
    'Where is my money?',
  ])
    expect(await within(panel).findByText(text)).toBeTruthy();
  const links = within(panel)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toEqual(
    expect.arrayContaining([
      '/members/100007',
      '/members/100001?tab=slips',
      '/withdrawals?status=ALL&open=WD0',
      '/chats?open=7',
    ]),
  );
});

test('one that was paid automatically shows its limits and score', async () => {
  app.reply(READ, {
    ...DETAIL,
    automatic: true,
    status: 'SUCCESS',
    assessment: { ...NOTHING_FOUND, automaticMax: 2000, automaticDayMax: 10_000, dayTotal: 500 },
  });
  app.show(<WithdrawalsPage />, '/withdrawals?open=WD1');
  const limits = { limit: '฿2,000.00', dayLimit: '฿10,000.00', total: '฿500.00' };
  expect(await screen.findByText(t('reason.automaticLimits', limits))).toBeTruthy();
  expect(screen.getByText(t('reason.automaticScore', { score: 0, review: 30 }))).toBeTruthy();
  expect(screen.getByText(t('risk.none'))).toBeTruthy();
});

test('a waiting row is given to a colleague', async () => {
  app.reply('GET /api/operator/assignees', { operators: [{ id: '7', name: 'malee' }] });
  app.reply(ASSIGN, { by: 'malee', until: '2026-11-23T06:10:00.000Z', mine: false });
  app.show(<WithdrawalsPage />, '/withdrawals?open=WD1');
  fireEvent.click(await screen.findByRole('button', { name: t('assignment.give') }));
  fireEvent.click(await screen.findByText('malee'));
  await noticed(t('assignment.given', { name: 'malee' }));
  expect(app.received(ASSIGN).map(({ body }) => body)).toEqual([{ operator: '7' }]);
});

describe('many', () => {
  /** More than one call decides. */
  const ids = Array.from({ length: 103 }, (_, at) => `WD${at + 1}`);
  const RESULT = { state: 'REVIEW', approval: null, refusal: null, by: null, now: null };
  const decided = (given: readonly string[]) => ({
    results: given.map((id) => ({ ...RESULT, id, undoSeconds: 60 })),
  });
  const closeReport = () =>
    within(screen.getByRole('dialog'))
      .getAllByRole('button', { name: t('btn.close') })
      .at(-1)!
      .click();
  const countOf = (count: number) => screen.findByText(t('withdrawals.approveMany', { count }));
  const namesOf = (text: string) =>
    screen
      .getAllByRole('row')
      .filter((row) => row.textContent?.includes(text))
      .map((row) => /WD\d+/.exec(row.textContent ?? '')?.[0]);

  /** Selects all of these and sends the decision. */
  async function approveAll(waiting: readonly string[]): Promise<HTMLElement> {
    const rows = waiting.map((id) => ({ ...ROW, id }));
    app.reply(LIST, { ...ONE_PAGE, withdrawals: rows, total: rows.length, sums: [] });
    app.show(<WithdrawalsPage />, '/withdrawals');
    await screen.findAllByText('Somchai');
    fireEvent.keyDown(document, { key: 'X' });
    fireEvent.keyDown(document, { key: 'a' });
    const dialog = await screen.findByRole('dialog');
    yes(dialog, t('withdrawals.approveMany', { count: rows.length })).click();
    return dialog;
  }

  test('more than 100 are undone by calls of 100, the earliest decided first; those that were too late are named', async () => {
    app.respond(APPROVE_MANY, (body) => decided(body.ids));
    app.respond(UNDO, (body) => ({
      results: body.ids.map((id) =>
        id === 'WD102'
          ? { ...RESULT, id, state: null, refusal: 'ROW_CHANGED', now: 'SUCCESS' }
          : { ...RESULT, id },
      ),
    }));
    await approveAll(ids);
    await screen.findByText(t('bulk.result', { done: ids.length, failed: 0 }));
    const release = app.hold(UNDO);
    press(t('withdrawals.undo'));
    await waitFor(() => expect(app.received(UNDO)).toHaveLength(1));
    expect(screen.getByRole('dialog')).toBeTruthy();
    release();
    await noticed(t('withdrawals.tooLateSome', { done: ids.length - 1, failed: 1 }));
    expect(app.received(UNDO).map(({ body }) => body.ids)).toEqual([ids.slice(0, 100), ids.slice(100)]);
    expect(namesOf(refusalText(t, 'ROW_CHANGED', { state: 'SUCCESS' }))).toEqual(['WD102']);
  });

  test.each([
    ['no answer', () => app.dropConnection(APPROVE_MANY)],
    ['the page of a proxy', () => app.refuse(APPROVE_MANY, '', {}, 408)],
  ])('rows of a call with %s are named, and they and the untried stay selected', async (_what, fail) => {
    app.respond(APPROVE_MANY, (body) => decided(body.ids));
    const release = app.hold(APPROVE_MANY);
    await approveAll(ids);
    await waitFor(() => expect(app.received(APPROVE_MANY)).toHaveLength(1));
    release();
    fail();
    await screen.findByText(t('bulk.result', { done: 100, failed: 0 }));
    expect(namesOf(t('bulk.unknown'))).toEqual(ids.slice(100));
    closeReport();
    expect(await countOf(3)).toBeTruthy();
  });

  test('a fault at one row ends the run: what was done before is reported, the rest stays selected', async () => {
    app.reply(APPROVE_MANY, {
      results: [
        { ...RESULT, id: 'WD1', state: 'QUEUED' },
        { ...RESULT, id: 'WD2', state: null, refusal: 'INTERNAL_SERVER_ERROR' },
      ],
    });
    await approveAll(ids.slice(0, 4));
    await screen.findByText(t('bulk.result', { done: 1, failed: 1 }));
    expect(screen.getByText(t('bulk.untried', { count: 2 }))).toBeTruthy();
    expect(app.received(APPROVE_MANY)).toHaveLength(1);
    closeReport();
    expect(await countOf(2)).toBeTruthy();
  });

  test('the dialog of a decision cannot be closed while its call runs', async () => {
    app.respond(APPROVE_MANY, (body) => decided(body.ids));
    const release = app.hold(APPROVE_MANY);
    const dialog = await approveAll(ids.slice(0, 4));
    await waitFor(() => expect(app.received(APPROVE_MANY)).toHaveLength(1));
    expect(yes(dialog, t('btn.cancel')).disabled).toBe(true);
    expect(yes(dialog, t('btn.close')).disabled).toBe(true);
    fireEvent.keyDown(dialog, { key: 'Escape' });
    expect(screen.getByRole('dialog')).toBe(dialog);
    release();
    expect(await screen.findByText(t('bulk.result', { done: 4, failed: 0 }))).toBeTruthy();
  });
});

test('all filters are cleared together, also age, day of payment and a colleague of a link', async () => {
  const filters = 'olderMinutes=60&paid=2026-11-22&assignee=malee&risk=review,held&q=som';
  app.show(<WithdrawalsPage />, `/withdrawals?${filters}`);
  await screen.findByText('Somchai');
  press(t('filter.clear'));
  expect(location.search).toBe('?status=ALL');
});
