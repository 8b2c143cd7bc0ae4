import type { MemberApi } from '@krapao/contract/member';
import { button, press, ready } from '@krapao/ui/testing/form.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
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
