import type { MemberApi } from '@krapao/contract/member';
import { press } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '../../platform/member/queries.ts';
import { sheetFill } from '../../platform/sheet-state.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import ReceiptSheet from './receipt-sheet.tsx';
import type { ReceiptRow } from './receipt-view.ts';

const CALL = 'POST /api/statement';
const app = await memberApp();

const WITHDRAWAL: ReceiptRow = {
  id: 'WD1M7Y7V8EQXAVSSXNT',
  statementType: 'withdraw',
  status: 'PENDING',
  from: 'wallet',
  to: 'KBANK',
  amount: 300,
  createdAt: '2026-11-23T07:00:00.000Z',
  receipt: {
    channel: null,
    account: { bankCode: 'KBANK', name: 'SOMCHAI JAIDEE', number: 'xxx-x-x6789-x' },
    balanceAfter: 700,
  },
};

function show(row: ReceiptRow): void {
  app.reply(CALL, { statements: [row], total: 1 } satisfies MemberApi[typeof CALL]['reply']);
  app.show(<ReceiptSheet arg={row.id} />);
}
const shown = () => (document.querySelector('dialog')?.textContent ?? '').replace(/\s+/g, ' ');

test('a receipt names both ends, the masked account and the balance after, and reads its own row', async () => {
  show(WITHDRAWAL);
  // The banks' names come with a call of their own.
  await screen.findByText('Kasikornbank');
  for (const part of [
    text('wallet.main'),
    text('receipt.member', { id: '100001' }),
    'SOMCHAI JAIDEE · xxx-x-x6789-x',
    WITHDRAWAL.id,
    '฿700.00',
    text('status.pending'),
  ])
    expect(shown()).toContain(part);
  expect(app.received(CALL)).toMatchObject([{ body: { id: WITHDRAWAL.id } }]);
});

test('a pending one turns to paid when its row does', async () => {
  show(WITHDRAWAL);
  await screen.findByText(text('receipt.balanceAfter'));
  app.reply(CALL, { statements: [{ ...WITHDRAWAL, status: 'SUCCESS' }], total: 1 });
  await queryClient.invalidateQueries({ queryKey: ['statement'] });
  expect(await screen.findByText(text('withdraw.done'))).toBeTruthy();
});

test('a withdrawal that failed says where the money is and what to do', async () => {
  show({ ...WITHDRAWAL, status: 'FAILED' });
  expect(await screen.findByText(text('receipt.checkAccount'))).toBeTruthy();
  expect(shown()).toContain(text('receipt.moneyBack'));
});

test('a failed withdrawal shows the reason an operator gave in place of the general advice', async () => {
  const reason = 'Verify your identity first.';
  show({ ...WITHDRAWAL, status: 'FAILED', receipt: { ...WITHDRAWAL.receipt!, reason } });
  expect(await screen.findByText(reason)).toBeTruthy();
  expect(screen.queryByText(text('receipt.checkAccount'))).toBeNull();
});

test.each([
  ['transfer', 'wallet', 'lucky', 'error.TRANSFER_FAIL'],
  ['transfer', 'lucky', 'wallet', 'transfer.failedStays'],
  ['deposit', 'gift', 'wallet', 'error.TRUELINK_INVALID'],
] as const)(
  'money unaccounted for: a failed %s from %s to %s says where it is',
  async (type, from, to, id) => {
    const row = { ...WITHDRAWAL, statementType: type, from, to, receipt: undefined } as const;
    show({ ...row, status: 'FAILED' });
    expect(await screen.findByText(text(id))).toBeTruthy();
  },
);

test.each([
  [WITHDRAWAL, 'withdraw', undefined, { amount: 300 }],
  [
    { ...WITHDRAWAL, statementType: 'transfer', from: 'lucky', to: 'wallet', receipt: undefined },
    'transfer',
    'lucky',
    { amount: 300, from: 'lucky', to: 'wallet' },
  ],
  [
    {
      ...WITHDRAWAL,
      statementType: 'deposit',
      from: 'KBANK',
      to: 'wallet',
      receipt: { channel: 'QR', account: null, balanceAfter: 1_000 },
    },
    'deposit',
    'KBANK-QR',
    { amount: 300 },
  ],
] as [ReceiptRow, string, string | undefined, object][])(
  'is repeated as it was: $statementType',
  async (row, sheet, arg, fill) => {
    show(row);
    await waitFor(() => press(text('receipt.again')));
    expect(history.state).toMatchObject({ sheet, fill });
    expect(history.state.arg).toBe(arg);
    expect(sheetFill()).toEqual(fill);
  },
);

test('what staff booked and what a bonus granted is not repeated', async () => {
  for (const row of [
    { ...WITHDRAWAL, to: 'manual', receipt: undefined },
    {
      ...WITHDRAWAL,
      id: 'BN1',
      statementType: 'bonus',
      from: 'bonus',
      to: 'wallet',
      bonus: { description: 'Welcome' },
    },
  ] as ReceiptRow[]) {
    show(row);
    await screen.findByText(row.id);
    expect(screen.queryByText(text('receipt.again'))).toBeNull();
  }
});

test('a reported transfer that was refused leads to support', async () => {
  show({
    ...WITHDRAWAL,
    statementType: 'deposit',
    status: 'FAILED',
    from: 'manual',
    to: 'wallet',
    receipt: undefined,
    origin: 'report',
  });
  expect(await screen.findByText(text('statement.reportRefused'))).toBeTruthy();
  expect(screen.getByText(text('chat.aboutThis'))).toBeTruthy();
  expect(screen.queryByText(text('receipt.moneyBack'))).toBeNull();
});

test.each([
  ['report', 'statement.reported'],
  ['return', 'statement.returned'],
  [undefined, 'statement.byStaff'],
] as const)('a deposit without a bank is named by its origin: %s', async (origin, id) => {
  show({
    ...WITHDRAWAL,
    statementType: 'deposit',
    from: 'manual',
    to: 'wallet',
    receipt: undefined,
    ...(origin && { origin }),
  });
  expect(await screen.findByText(`${text(id)} · ${text('status.pending')}`)).toBeTruthy();
  expect(screen.getAllByText(text(id))).toHaveLength(1);
});

test('the question to support contains the receipt’s reference', async () => {
  app.reply('GET /api/lookup/enableChatWidget', true);
  show(WITHDRAWAL);
  await waitFor(() => press(text('chat.aboutThis')));
  await waitFor(() => expect(history.state).toEqual({ chat: true, about: WITHDRAWAL.id }));
});
