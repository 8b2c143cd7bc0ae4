import { bankB } from '@krapao/contract/outside';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createQr, startTestEnv, type TestEnv } from '../testing/test-env.ts';
import { maskedAccount } from './senders.ts';

let env: TestEnv;
beforeAll(async () => {
  env = await startTestEnv();
});
afterAll(() => env.stop());

const feed = (accountNo: string, query: Record<string, string>, key = 'sandbox-bank-b') =>
  call(`${env.sandbox.url}/outside/bank-b/v1/accounts/${accountNo}/statement?${new URLSearchParams(query)}`, {
    headers: { [bankB.KEY_HEADER]: key },
  });
const send = (toBank: string, toAccount: string, amount: string, phone = '0815550142') =>
  env.control('transfer', { phone, toBank, toAccount, amount });

describe('a statement feed', () => {
  test('shows transfers once each, from a cursor on, masked and with a title', async () => {
    const { body: sent } = await send('SCB', '2223334445', '12.50');
    await send('SCB', '2223334445', '13.00');
    const first = await feed('2223334445', { bank: 'SCB', limit: '1' });
    expect(Value.Check(bankB.StatementReply, first.body)).toBe(true);
    expect(first.body).toMatchObject({
      currency: 'THB',
      more: true,
      lines: [
        {
          reference: sent.transRef,
          type: 'CREDIT',
          amount: '12.50',
          sender: { bank: '004', account: 'xxx-x-x6789-x', name: 'นาย สมหญิง ใ' },
        },
      ],
    });
    const second = await feed('2223334445', { bank: 'SCB', cursor: first.body.next });
    expect(second.body).toMatchObject({ more: false, lines: [{ amount: '13.00' }] });
    const end = await feed('2223334445', { bank: 'SCB', cursor: second.body.next });
    expect(end.body).toEqual({ currency: 'THB', more: false, lines: [], next: second.body.next });
  });

  test('starts at a requested time, and is in kip in Laos', async () => {
    await send('BCEL', '010120008887', '50000', '02055550142');
    const all = await feed('010120008887', { bank: 'BCEL', since: '2020-01-01T00:00:00Z' });
    expect(all.body).toMatchObject({
      currency: 'LAK',
      lines: [{ amount: '50000.00', sender: { bank: 'BCEL' } }],
    });
    const later = await feed('010120008887', { bank: 'BCEL', since: '2100-01-01T00:00:00Z' });
    expect(later.body).toMatchObject({ lines: [], next: all.body.next });
  });

  test('shows bill payments with their reference', async () => {
    await env.control('pay-qr', { payload: await createQr(env, 'FEED1') });
    const { body } = await feed('1112223334', { bank: 'KBANK' });
    expect(body.lines).toMatchObject([{ billReference1: 'FEED1', amount: '500.00' }]);
  });

  test('needs the key and an account of the company', async () => {
    expect((await feed('2223334445', { bank: 'SCB' }, 'wrong')).status).toBe(401);
    expect((await feed('1234567890', { bank: 'KBANK' })).status).toBe(404);
    expect((await feed('2223334445', { bank: 'SCB', cursor: 'x' })).status).toBe(400);
  });

  test('hides more digits when configured', async () => {
    await env.control('faults', { party: 'bank-b', kind: 'masked-digits', count: 1 });
    const { body } = await feed('2223334445', { bank: 'SCB' });
    expect(body.lines[0].sender.account).toBe('xxx-x-xxx89-x');
  });
});

test('accounts of every length are masked alike from the end', () => {
  expect(['1234567890', '020123456789'].map((number) => maskedAccount(number))).toEqual([
    'xxx-x-x6789-x',
    'xxxxx-x-x5678-x',
  ]);
});
