import { wallet } from '@krapao/contract/member';
import { choose, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { baht, memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import TransferSheet from './transfer-sheet.tsx';

const CALL = 'POST /api/wallet/transfer';
const ALL = 'POST /api/wallet/transferAll';
const app = await memberApp();
const AMOUNT = text('money.amount');
const SEND = text('transfer.now', { amount: baht(500) });
const RECEIPT = receiptOf({ type: 'transfer', to: 'lucky' });

const open = () => app.show(<TransferSheet arg="lucky" />);

test('accounts and amount are checked before anything is sent', () => {
  open();
  press(text('transfer.title'));
  expect(screen.getByText(text('transfer.atLeast', { min: baht(1) }))).toBeTruthy();
  type(AMOUNT, '500');
  choose(/Source/, 'lucky');
  press(SEND);
  expect(screen.getByText(text('transfer.same'))).toBeTruthy();
  choose(/Source/, '');
  press(SEND);
  expect(screen.getByText(text('transfer.chooseBoth'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([]);
});

test('a double press moves the amount once, and the end is shown', async () => {
  app.reply(CALL, RECEIPT);
  open();
  type(AMOUNT, '500');
  pressTwice(SEND);
  expect(await screen.findByText(text('transfer.success'))).toBeTruthy();
  expect(app.received(CALL)).toEqual([
    {
      path: '/api/wallet/transfer',
      body: { from: 'wallet', to: 'lucky', amount: 500 },
      idempotencyKey: expect.any(String),
    },
  ]);
});

test('what a partner has not confirmed is said to be on its way', async () => {
  app.reply(CALL, { ...RECEIPT, status: 'PENDING' });
  open();
  type(AMOUNT, '500');
  press(SEND);
  expect(await screen.findByText(text('status.inProgress'))).toBeTruthy();
});

test('without an answer the same transfer is sent again under its key', async () => {
  app.breakOff(CALL);
  open();
  type(AMOUNT, '500');
  press(SEND);
  expect(await screen.findByText(text('error.unknownResult'))).toBeTruthy();
  app.reply(CALL, RECEIPT);
  await ready(SEND);
  press(SEND);
  await screen.findByText(text('transfer.success'));
  const keys = app.received(CALL).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test.each(wallet.transfer.refusals)('%s is said in words and the form stays', async (code) => {
  app.refuse(CALL, code);
  open();
  type(AMOUNT, '500');
  press(SEND);
  expect(await screen.findByText(text(`error.${code}`))).toBeTruthy();
  await ready(SEND);
});

test('moving everything asks first and names what stayed', async () => {
  app.reply(ALL, { ...RECEIPT, legs: [{ from: 'lucky', amount: 250, status: 'FAILED' }] });
  open();
  press(text('transfer.allTo', { place: 'Lucky' }));
  expect(app.received(ALL)).toEqual([]);
  const question = screen.getByRole('alertdialog');
  within(question)
    .getByRole('button', { name: text('transfer.all') })
    .click();
  expect(await screen.findByText(text('transfer.skipped', { places: 'Lucky' }))).toBeTruthy();
  expect(app.received(ALL).map(({ body }) => body)).toEqual([{ to: 'lucky' }]);
});
