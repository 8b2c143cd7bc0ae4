import { overview } from '@krapao/contract/operator';
import { button, press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE } from '../../testing/console-app.tsx';
import { WITHDRAWAL } from '../../testing/withdrawal.ts';
import { ApprovalsPage } from './approvals.tsx';

const LIST = 'GET /api/operator/approvals';
const APPROVE = 'POST /api/operator/approvals/{id}/approve';
const REFUSE = 'POST /api/operator/approvals/{id}/refuse';
const app = await consoleApp();
const { t } = i18n;

const REQUEST = {
  id: 'AP1',
  action: 'withdrawal.approve',
  subject: 'withdrawal:WD1',
  summary: { amount: 25_000, currency: 'BAHT' },
  reason: 'documents seen',
  maker: 'malee',
  mine: false,
  mayCheck: true,
  mayWithdraw: false,
  state: 'PENDING' as const,
  lapsedBecause: null,
  madeAt: '2026-11-23T06:00:00.000Z',
  lapsesAt: '2026-11-24T06:00:00.000Z',
  checker: null,
  checkedAt: null,
  note: null,
};

const THREAD = 'GET /api/operator/approvals/{id}/thread';
const COMMENT = 'POST /api/operator/approvals/{id}/comments';
const APPROVE_MANY = 'POST /api/operator/approvals/approve';

beforeEach(() => {
  app.reply(LIST, { ...ONE_PAGE, approvals: [REQUEST], total: 1 });
  app.reply('GET /api/operator/approval-kinds', { kinds: ['withdrawal.approve', 'setting.change'] });
  app.reply(THREAD, { current: null, changed: false, comments: [] });
});

/** Opens the question of a row's button. */
async function openDialog(name: string): Promise<HTMLElement> {
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('malee');
  press(name);
  return screen.findByRole('dialog');
}

const closeReport = () =>
  within(screen.getByRole('dialog'))
    .getAllByRole('button', { name: t('btn.close') })
    .at(-1)!
    .click();

const yes = (dialog: HTMLElement, name: string) =>
  within(dialog).getByRole<HTMLButtonElement>('button', { name });

test('the list reads pending requests; a filter choice is in the address and is sent', async () => {
  app.show(<ApprovalsPage />, '/approvals?whose=others&sort=madeAt');
  await screen.findByText('malee');
  expect(new URLSearchParams(app.received(LIST)[0]?.path.split('?')[1])).toEqual(
    new URLSearchParams({ limit: '25', sort: 'madeAt', whose: 'others', state: 'PENDING' }),
  );
  expect(screen.getAllByText(/25,000/)).not.toEqual([]);
});

test('a double press approves once, reports it and reads the list again', async () => {
  app.reply(APPROVE, { state: 'QUEUED', approval: null });
  const dialog = await openDialog(t('approval.approve'));
  const button = yes(dialog, t('approval.approve'));
  fireEvent.click(button);
  fireEvent.click(button);
  await noticed(t('approval.approved'));
  expect(app.received(APPROVE).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/operator/approvals/AP1/approve', body: {} },
  ]);
  await waitFor(() => expect(app.received(LIST).length).toBeGreaterThan(1));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('each refusal of an approval is shown as text and the dialog stays', async () => {
  const send = yes(await openDialog(t('approval.approve')), t('approval.approve'));
  await app.refuseEach(APPROVE, overview.approve.refusals, send);
});

test('a refusal needs a note of three characters, which is sent', async () => {
  app.reply(REFUSE, { message: 'OK' });
  const dialog = await openDialog(t('approval.refuse'));
  const send = yes(dialog, t('approval.refuse'));
  expect(send.disabled).toBe(true);
  type(new RegExp(t('field.note')), 'no');
  expect(send.disabled).toBe(true);
  type(new RegExp(t('field.note')), 'name differs');
  fireEvent.click(send);
  await noticed(t('approval.refused'));
  expect(app.received(REFUSE).map(({ body }) => body)).toEqual([{ note: 'name differs' }]);
});

test('each refusal of a rejection is shown as text and the dialog stays', async () => {
  const send = yes(await openDialog(t('approval.refuse')), t('approval.refuse'));
  type(new RegExp(t('field.note')), 'name differs');
  await app.refuseEach(REFUSE, overview.refuse.refusals, send);
});

test('the keys of the list move, approve and refuse', async () => {
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('malee');
  fireEvent.keyDown(document, { key: 'a' });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key: 'r' });
  expect(yes(await screen.findByRole('dialog'), t('approval.refuse'))).toBeTruthy();
});

test('what another may decide offers no buttons', async () => {
  app.reply(LIST, { ...ONE_PAGE, approvals: [{ ...REQUEST, mayCheck: false }], total: 1 });
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('malee');
  expect(screen.queryByRole('button', { name: t('approval.approve') })).toBeNull();
});

test('a row opens the withdrawal it is about beside the decision: whose, to which account, why, what score', async () => {
  app.reply('GET /api/operator/withdrawals/{id}', {
    ...WITHDRAWAL,
    assessment: { ...WITHDRAWAL.assessment!, score: 80, reasons: ['HELD'] },
    needsChecker: true,
  });
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('malee');
  fireEvent.keyDown(document, { key: 'j' });
  fireEvent.keyDown(document, { key: 'Enter' });
  const panel = await screen.findByRole('complementary');
  expect(await within(panel).findByText('SOMCHAI JAIDEE')).toBeTruthy();
  expect(within(panel).getByRole('link', { name: 'Somchai' })).toBeTruthy();
  expect(within(panel).getByRole('link', { name: 'WD1' })).toBeTruthy();
  expect(within(panel).getByText(t('reason.HELD', { score: 80, hold: 70 }))).toBeTruthy();
  fireEvent.click(within(panel).getByRole('button', { name: new RegExp(t('approval.approve')) }));
  expect(yes(await screen.findByRole('dialog'), t('approval.approve'))).toBeTruthy();
});

test('an open request shows what it would set beside what is in force, and that this has changed since', async () => {
  app.reply(LIST, {
    approvals: [
      {
        ...REQUEST,
        action: 'role.change',
        subject: 'role:night',
        summary: {
          ...{ role: 'night', from: ['today.read'], to: ['today.read', 'slip.read'] },
          fromLimits: [],
          limits: [{ kind: 'pay', currency: 'BAHT', action: 700, day: null }],
        },
      },
    ],
    ...ONE_PAGE,
    total: 1,
  });
  app.reply(THREAD, {
    current: {
      from: ['today.read', 'member.read'],
      fromLimits: [{ kind: 'pay', currency: 'BAHT', action: 500, day: null }],
    },
    changed: true,
    comments: [],
  });
  app.show(<ApprovalsPage />, '/approvals?open=AP1');
  const panel = await screen.findByRole('complementary');
  expect(await within(panel).findByText(t('approval.changed'))).toBeTruthy();
  const lines = [...panel.querySelectorAll('p')].map((line) => line.textContent);
  expect(lines.filter((line) => /^[−+] /.test(line ?? ''))).toEqual([
    expect.stringMatching(/^− /),
    expect.stringMatching(/^\+ /),
    expect.stringMatching(/^− .*500/),
    expect.stringMatching(/^\+ .*700/),
  ]);
});

test('maker and checker write to each other about a request', async () => {
  const comment = { id: '1', at: REQUEST.madeAt, by: 'malee', mine: false, text: 'The bank confirmed' };
  app.reply(THREAD, { current: null, changed: false, comments: [comment] });
  app.reply(COMMENT, { message: 'OK' });
  app.reply('GET /api/operator/withdrawals/{id}', WITHDRAWAL);
  app.show(<ApprovalsPage />, '/approvals?open=AP1');
  expect(await screen.findByText('The bank confirmed')).toBeTruthy();
  type(t('approval.newComment'), ' Which document? ');
  press(t('approval.addComment'));
  await waitFor(() =>
    expect(app.received(COMMENT).map(({ body }) => body)).toEqual([{ text: 'Which document?' }]),
  );
});

test('many requests are decided at once, and the report has a result for each', async () => {
  const other = { ...REQUEST, id: 'AP2', maker: 'somsak' };
  app.reply(LIST, { ...ONE_PAGE, approvals: [REQUEST, other], total: 2 });
  const base = { approval: null, by: null, now: null };
  app.reply(APPROVE_MANY, {
    results: [
      { ...base, id: 'AP1', state: 'DONE', refusal: null },
      { ...base, id: 'AP2', state: null, refusal: 'APPROVAL_LAPSED' },
    ],
  });
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('somsak');
  fireEvent.keyDown(document, { key: 'X' });
  fireEvent.keyDown(document, { key: 'a' });
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(yes(dialog, t('approval.approveMany', { count: 2 })));
  expect(await screen.findByText(t('bulk.result', { done: 1, failed: 1 }))).toBeTruthy();
  expect(app.received(APPROVE_MANY).map(({ body }) => body)).toEqual([{ ids: ['AP1', 'AP2'] }]);
});

test('a call without an answer leaves its requests named and selected, and its dialog open until then', async () => {
  const other = { ...REQUEST, id: 'AP2', maker: 'somsak', subject: 'withdrawal:WD2' };
  app.reply(LIST, { ...ONE_PAGE, approvals: [REQUEST, other], total: 2 });
  app.dropConnection(APPROVE_MANY);
  const release = app.hold(APPROVE_MANY);
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('somsak');
  fireEvent.keyDown(document, { key: 'X' });
  fireEvent.keyDown(document, { key: 'a' });
  const dialog = await screen.findByRole('dialog');
  const name = t('approval.approveMany', { count: 2 });
  fireEvent.click(yes(dialog, name));
  await waitFor(() => expect(app.received(APPROVE_MANY)).toHaveLength(1));
  expect(yes(dialog, t('btn.cancel')).disabled).toBe(true);
  release();
  expect(await screen.findAllByText(t('bulk.unknown'))).toHaveLength(2);
  closeReport();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(button(name)).toBeTruthy();
});

test('requests behind one with a fault are counted as not tried, and stay selected', async () => {
  const other = { ...REQUEST, id: 'AP2', maker: 'somsak' };
  app.reply(LIST, { ...ONE_PAGE, approvals: [REQUEST, other], total: 2 });
  app.reply(APPROVE_MANY, {
    results: [
      { id: 'AP1', state: null, approval: null, refusal: 'INTERNAL_SERVER_ERROR', by: null, now: null },
    ],
  });
  app.show(<ApprovalsPage />, '/approvals');
  await screen.findByText('somsak');
  fireEvent.keyDown(document, { key: 'X' });
  fireEvent.keyDown(document, { key: 'a' });
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(yes(dialog, t('approval.approveMany', { count: 2 })));
  expect(await screen.findByText(t('bulk.untried', { count: 1 }))).toBeTruthy();
  closeReport();
  expect(await screen.findByText(t('approval.approveMany', { count: 1 }))).toBeTruthy();
});

test('whose requests are shown is cleared together with the other filters', async () => {
  app.show(<ApprovalsPage />, '/approvals?whose=others&action=withdrawal.approve,setting.change');
  await screen.findByText('malee');
  press(t('filter.clear'));
  expect(location.search).toBe('?state=ALL');
});
