import { slips } from '@krapao/contract/member';
import { button, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { cleanup, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { LOOKUP, SLIP_LOOKUP } from '../../testing/deposit.ts';
import { memberApp, receiptOf, text } from '../../testing/member-app.tsx';
import DepositSheet from './deposit-sheet.tsx';

const app = await memberApp();
beforeEach(() => {
  app.reply('GET /api/lookup/deposit', LOOKUP);
  app.reply('POST /api/statement', { statements: [], total: 0 });
});
const CALL = 'POST /api/wallet/add';
const SEND = text('deposit.iPaid');
const AMOUNT = text('report.amount');

async function open(): Promise<void> {
  app.show(<DepositSheet arg="report:KBANK-AUTO" />);
  await screen.findByLabelText(AMOUNT);
}

test('an amount is required; without an answer it is sent again under its key', async () => {
  app.dropConnection(CALL);
  await open();
  expect(button(SEND).disabled).toBe(true);
  type(AMOUNT, '500');
  pressTwice(SEND);
  expect(await screen.findByText(text('error.unknownResult'))).toBeTruthy();
  app.reply(CALL, receiptOf({ type: 'deposit', status: 'REVIEW' }));
  await ready(SEND);
  press(SEND);
  expect(await screen.findByText(text('report.sent'))).toBeTruthy();
  const sent = app.received(CALL);
  expect(sent.map(({ body }) => body)).toEqual([{ amount: 500 }, { amount: 500 }]);
  expect(sent[1]?.idempotencyKey).toBe(sent[0]?.idempotencyKey);
});

test('it is offered beside our mobile wallet, and without a channel', async () => {
  const wallets = [{ mode: 'AUTO', walletAccountName: 'KRAPAO', walletAccountNo: '0812345678' } as const];
  app.reply('GET /api/lookup/deposit', { ...LOOKUP, banks: [], wallets });
  app.show(<DepositSheet arg="wallet-0812345678" />);
  await screen.findByText(text('deposit.walletHow'));
  press(SEND);
  expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'report' });
  cleanup();
  app.show(<DepositSheet arg="report" />);
  expect(await screen.findByLabelText(AMOUNT)).toBeTruthy();
});

test('it is offered while the own limits close all channels', async () => {
  app.refuse('GET /api/lookup/deposit', 'SELF_EXCLUDED', {});
  app.reply('GET /api/lookup/slip', { ...SLIP_LOOKUP, isManual: true });
  app.show(<DepositSheet arg={undefined} />);
  await screen.findByText(text('error.SELF_EXCLUDED'));
  await ready(new RegExp(SEND));
  press(new RegExp(SEND));
  expect(history.state).toMatchObject({ sheet: 'deposit', arg: 'report' });
});

test('while one is being looked for no other is offered', async () => {
  app.reply('GET /api/lookup/deposit', { ...LOOKUP, hasReport: true });
  app.show(<DepositSheet arg="report:KBANK-AUTO" />);
  expect(await screen.findByText(text('report.oneOpen'))).toBeTruthy();
  expect(screen.queryByLabelText(AMOUNT)).toBeNull();
  press(text('statement.title'));
  expect(location.pathname).toBe('/user/statement');
});

test.each(slips.reportPayment.refusals)('%s is shown as text', async (code) => {
  app.refuse(CALL, code);
  await open();
  type(AMOUNT, '500');
  press(SEND);
  const texts = code === 'REQUEST_LIMIT' ? text('report.oneOpen') : text(`error.${code}`);
  expect(await screen.findByText(texts)).toBeTruthy();
  await ready(SEND);
});
