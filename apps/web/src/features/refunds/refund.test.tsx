import type { MemberApi } from '@krapao/contract/member';
import { button, press, ready } from '@krapao/ui/testing/form.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '../../platform/member/queries.ts';
import { baht, EXCLUDED, memberApp, text } from '../../testing/member-app.tsx';
import RefundSheet from './refund-sheet.tsx';

const CALL = 'GET /api/refund/addWallet';
const app = await memberApp();

const CHECK: MemberApi['GET /api/refund/check']['reply'] = {
  result: false,
  bonus: false,
  info: {
    from: '2026-11-16T00:00:00.000Z',
    to: '2026-11-23T07:00:00.000Z',
    deposits: 0,
    withdrawals: 0,
    opening: 0,
    balance: 0,
    loss: 0,
    percent: 5,
    receivable: 0,
    received: 40,
  },
  refundAmount: 40,
  refundSuccess: 200,
  refundFail: 10,
  reason: 'NOTHING',
  most: null,
};

function open(refundSuccess: number, reason: (typeof CHECK)['reason'] = 'NOTHING'): void {
  app.reply('GET /api/refund/banners', { banners: [] });
  app.reply('GET /api/refund/check', { ...CHECK, refundSuccess, reason });
  app.reply('POST /api/refund', { refunds: [], total: 0 });
  app.show(<RefundSheet />);
}

test('during an exclusion a refund with conditions is not offered, and the reason is shown', async () => {
  app.reply('GET /api/limits', EXCLUDED);
  open(200);
  expect(await screen.findByText(text('error.SELF_EXCLUDED'))).toBeTruthy();
  expect(button(text('refund.addToWallet')).disabled).toBe(true);
});

test('during an exclusion a refund without conditions can be added', async () => {
  app.reply('GET /api/limits', EXCLUDED);
  app.reply(CALL, { message: 'REFUND_SUCCESS', amount: 40, statementId: 'ST1' });
  open(0);
  await screen.findByText(text('refund.refundBalance'));
  await ready(text('refund.addToWallet'));
  press(text('refund.addToWallet'));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(text('refund.addConfirm', { amount: baht(40) }))).toBeTruthy();
  question.getByRole('button', { name: text('refund.addToWallet') }).click();
  expect(await screen.findByText(text('refund.added'))).toBeTruthy();
});

test('while a withdrawal is open a refund with conditions is not offered', async () => {
  open(200, 'OPEN');
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: text('refund.addToWallet') });
  expect(add.disabled).toBe(true);
});

const BANNER = { id: '1', title: 'Songkran', html: '<p>More back</p>', image: '', link: '' };

/** What a change at the site does to an open app: banners are read again. */
async function readBanners(): Promise<void> {
  app.reply('GET /api/refund/banners', { banners: [BANNER] });
  await act(() => queryClient.invalidateQueries({ queryKey: ['banners'] }));
}

test('a banner that appears while the sheet is open does not take the place of the sheet', async () => {
  app.reply(CALL, { message: 'REFUND_SUCCESS', amount: 40, statementId: 'ST1' });
  const respond = app.hold(CALL);
  open(0);
  await screen.findByText(text('refund.refundBalance'));
  await ready(text('refund.addToWallet'));
  press(text('refund.addToWallet'));
  const question = within(await screen.findByRole('alertdialog'));
  question.getByRole('button', { name: text('refund.addToWallet') }).click();
  await waitFor(() => expect(app.received(CALL)).toHaveLength(1));
  await readBanners();
  respond();
  expect(await screen.findByText(text('refund.added'))).toBeTruthy();
});

test('a banner that appears after the first reading failed does not take the place of the sheet', async () => {
  app.reply('GET /api/refund/check', CHECK);
  app.reply('POST /api/refund', { refunds: [], total: 0 });
  app.refuse('GET /api/refund/banners', 'REQUEST_LIMIT');
  app.show(<RefundSheet />);
  await screen.findByText(text('refund.refundBalance'));
  await readBanners();
  expect(screen.getByText(text('refund.refundBalance'))).toBeTruthy();
});

test('banners are shown before the sheet; closing them opens it', async () => {
  open(0);
  app.reply('GET /api/refund/banners', { banners: [BANNER] });
  expect(await screen.findByText('More back')).toBeTruthy();
  press(text('btn.next'));
  expect(await screen.findByText(text('refund.refundBalance'))).toBeTruthy();
});
