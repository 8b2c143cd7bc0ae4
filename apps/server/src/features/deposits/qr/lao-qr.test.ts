import { parseLaoQr } from '@krapao/contract/shared';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv } from '../../../testing/test-env.ts';
import { laoMembers } from '../../registration/testing-lao.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';

const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
await env.app.runJob('feeds.read');
afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

const laoMember = laoMembers(env);

describe('money in kip', () => {
  test('sent to the shown account is in the wallet once the statement shows it', async () => {
    const member = await laoMember();
    const { body } = await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token });
    expect(body.banks).toMatchObject([
      { bankCode: 'BCEL', mode: 'AUTO', currency: 'LAK', bankAccountNo: '010120008887' },
      { bankCode: 'BCEL', mode: 'QR', currency: 'LAK', minimum: 700 },
    ]);
    await env.control('transfer', {
      phone: member.phone,
      amount: 50_000,
      toBank: 'BCEL',
      toAccount: '010120008887',
    });
    await env.app.runJob('feeds.read');
    expect(await member.balance()).toBe(50_000n);
  });

  test('by QR: the static code with the amount in it, known by sender and amount, and used once', async () => {
    const member = await laoMember();
    const made = await env.call('POST', '/api/qrcode/BCEL', { amount: 120_000 }, { token: member.token });
    expect(made.body).toMatchObject({ hasQrcode: true, amount: 120_000, message: null });
    expect(parseLaoQr(made.body.payload)).toMatchObject({ receiver: 'KRAPAO0001', amountMinor: 120_000n });
    await env.control('pay-qr', { payload: made.body.payload, phone: member.phone });
    await Promise.all([env.app.runJob('feeds.read'), env.app.runJob('feeds.read')]);
    expect(await member.balance()).toBe(120_000n);
    const { rows } = await env.pool.query('select status from qr where member_id = $1', [member.id]);
    expect(rows).toEqual([{ status: 'PAID' }]);
    const after = await env.call('GET', '/api/qrcode/BCEL', undefined, { token: member.token });
    expect(after.body).toMatchObject({ hasQrcode: false, message: null });
  });

  test('is not offered by QR while the statement of the account is not read', async () => {
    const member = await laoMember();
    const watch = (isOpen: boolean) =>
      env.owner.query("update deposit_account set is_open = $1 where bank_code = 'BCEL' and mode = 'AUTO'", [
        isOpen,
      ]);
    await watch(false);
    const made = await env.call('POST', '/api/qrcode/BCEL', { amount: 120_000 }, { token: member.token });
    const { body } = await env.call('GET', '/api/lookup/deposit', undefined, { token: member.token });
    await watch(true);
    expect([made.body.message, body.banks]).toEqual(['NO_BANK', []]);
  });

  test('is not offered by QR to members in baht, below the least, or without a static code', async () => {
    const [member, baht] = [await laoMember(), await env.member()];
    const request = (token: string, amount: unknown) =>
      env.call('POST', '/api/qrcode/BCEL', { amount }, { token });
    expect((await request(baht.token, 100)).body.message).toBe('NO_BANK');
    expect((await request(member.token, 699)).body).toEqual({
      message: 'TRANSFER_MINIMUM',
      data: { min: 700 },
    });
    expect((await request(member.token, 1000.5)).body.message).toBe('TRANSFER_MINIMUM');
    await env.owner.query("update deposit_account set static_qr = 'no code' where bank_code = 'BCEL'");
    expect((await request(member.token, 1000)).body).toMatchObject({ hasQrcode: false, message: 'QR_FAIL' });
  });
});
