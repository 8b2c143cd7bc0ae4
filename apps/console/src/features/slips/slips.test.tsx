import type { OperatorApi } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, MEMBER, ONE_PAGE } from '../../testing/console-app.tsx';
import { SlipsPage } from './slips.tsx';

const LIST = 'GET /api/operator/slips';
const TAKE = 'POST /api/operator/slips/{id}/claim';
const REFUSE = 'POST /api/operator/slips/{id}/refuse';
const app = await consoleApp();
const { t } = i18n;

type Slip = OperatorApi[typeof LIST]['reply']['slips'][number];

const SLIP: Slip = {
  id: 'SL1',
  member: MEMBER,
  status: 'REVIEW',
  note: null,
  bankCode: 'KBANK',
  amount: 500,
  currency: 'BAHT',
  doubts: [],
  createdAt: '2026-11-23T06:00:00.000Z',
  assignment: null,
};
const assignment = { by: 'somsri', until: '2026-11-23T06:10:00.000Z', mine: true };

test('a slip waits until it is decided; then its row shows when it came', async () => {
  const ended = { ...SLIP, id: 'SL4', status: 'SUCCESS' as const };
  app.reply(LIST, { ...ONE_PAGE, slips: [{ ...SLIP, status: 'PENDING' }, ended], total: 2, sums: [] });
  app.show(<SlipsPage />, '/slips');
  await screen.findByText(t('state.SUCCESS'));
  const [, waiting, done] = screen.getAllByRole('row');
  expect(within(waiting!).getByRole('time').getAttribute('datetime')).toBe(SLIP.createdAt);
  expect(waiting!.textContent).toContain(t('assignment.nobody'));
  expect(within(done!).queryByRole('time')).toBeNull();
  expect(done!.textContent).toContain(dateTimeText(SLIP.createdAt));
  expect(done!.textContent).not.toContain(t('assignment.nobody'));
});

test('all pages are not offered where one page has every row, or all were selected', async () => {
  const ended = { ...SLIP, id: 'SL4', status: 'SUCCESS' as const };
  const listOf = (total: number) => app.reply(LIST, { ...ONE_PAGE, slips: [SLIP, ended], total, sums: [] });
  listOf(2);
  app.show(<SlipsPage />, '/slips');
  await screen.findByText(t('state.REVIEW'));
  fireEvent.keyDown(document, { key: 'X' });
  expect(screen.getByRole('button', { name: t('bulk.clear') })).toBeTruthy();
  expect(screen.queryByRole('button', { name: t('bulk.selectAll', { count: 2 }) })).toBeNull();
  press(t('bulk.clear'));
  listOf(3);
  history.pushState(null, '', '/slips?q=0');
  await waitFor(() => expect(app.received(LIST)).toHaveLength(2));
  await screen.findByText(t('state.REVIEW'));
  fireEvent.keyDown(document, { key: 'X' });
  press(t('bulk.selectAll', { count: 3 }));
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: t('bulk.selectAll', { count: 3 }) })).toBeNull(),
  );
  expect(screen.getByRole('button', { name: t('bulk.clear') })).toBeTruthy();
});

test('many slips are refused with one reason, each after it was assigned to the operator', async () => {
  const own = { ...SLIP, id: 'SL2', assignment };
  const others = { ...SLIP, id: 'SL3', assignment: { ...assignment, by: 'malee', mine: false } };
  const ended = { ...SLIP, id: 'SL4', status: 'SUCCESS' as const };
  app.reply(LIST, { ...ONE_PAGE, slips: [SLIP, own, others, ended], total: 4, sums: [] });
  app.reply(TAKE, assignment);
  app.reply(REFUSE, { state: 'FAILED', approval: null });
  app.show(<SlipsPage />, '/slips');
  await screen.findByText('malee');
  fireEvent.keyDown(document, { key: 'X' });
  press(`${t('slips.refuse')} (3)`);
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain(t('bulk.possible', { possible: 2, count: 3 }));
  type(new RegExp(`^${t('field.reason')} \\*`), 'pictures of one receipt');
  within(dialog)
    .getByRole('button', { name: `${t('slips.refuse')} (2)` })
    .click();
  expect(await screen.findByText(t('bulk.result', { done: 2, failed: 1 }))).toBeTruthy();
  expect(app.received(TAKE).map(({ path }) => path)).toEqual(['/api/operator/slips/SL1/claim']);
  expect(app.received(REFUSE).map(({ path }) => path)).toEqual([
    '/api/operator/slips/SL1/refuse',
    '/api/operator/slips/SL2/refuse',
  ]);
  expect(app.received(REFUSE)[0]?.body).toEqual({ code: 'INVALID_SLIP', reason: 'pictures of one receipt' });
});
