import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manualEntryRow, startTestEnv } from '../../testing/test-env.ts';
import { person } from './testing-people.ts';

const MIGRATION = join(import.meta.dirname, '../../../database/0305_lao_phones_without_country_code.sql');
const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
await env.set('register.otp', false);

const lao = (change: Record<string, unknown> = {}) =>
  person({ name: 'ສົມຊາຍ', bankCode: 'BCEL', bankAccountName: 'Somxay Vongsa', ...change });
const register = (body: unknown) => env.call('POST', '/api/account', body);
const login = (username: string, password: unknown) => env.call('POST', '/api/login', { username, password });

describe('in the Lao variant', () => {
  test.each([
    ['+856 20 5512 3401', '2055123401'],
    ['02055123402', '2055123402'],
    ['020-5512-3403', '2055123403'],
    ['(020) 5512.3404', '2055123404'],
    ['856 20 5512 3405', '2055123405'],
    ['77', '77'],
  ])('a phone typed %s is stored as %s, and logs in however it is typed', async (typed, stored) => {
    const who = lao({ username: typed });
    expect((await register(who)).body).toMatchObject({ username: stored });
    for (const again of [typed, stored, `+856${stored}`, `0${stored}`])
      expect((await login(again, who.password)).status).toBe(200);
    expect((await register(lao({ username: `0${stored}` }))).body).toEqual({ message: 'EXISTING_USER' });
  });

  test('a phone stored with a bare 856 before it was dropped logs in, unless its shorter form is taken', async () => {
    const former = [lao({ username: '2055123501' }), lao({ username: '2055123502' })];
    for (const who of former) {
      await register(who);
      const phones = [who.username, `856${who.username}`];
      await env.owner.query('update member set phone = $2 where phone = $1', phones);
    }
    await register(lao({ username: '2055123502' }));
    await env.owner.query(readFileSync(MIGRATION, 'utf8'));
    expect((await login(`856${former[0]!.username}`, former[0]!.password)).status).toBe(200);
    const { rows } = await env.owner.query(
      "select phone from member where phone like '%205512350_' order by 1",
    );
    expect(rows.map(({ phone }) => phone)).toEqual(['2055123501', '2055123502', '8562055123502']);
  });

  test.each(['', 'abc', '+856', '0', '1'.repeat(21)])('a phone of %j is refused', async (username) => {
    expect(await register(lao({ username }))).toMatchObject({
      status: 400,
      body: { message: 'INVALID_USER_INFO' },
    });
  });

  test('the currency is LAK unless BAHT is chosen, and shows in whole kip', async () => {
    for (const [currency, expected] of [
      [undefined, 'LAK'],
      ['LAK', 'LAK'],
      ['BAHT', 'BAHT'],
    ] as const) {
      const who = lao(currency ? { currency } : {});
      await register(who);
      const { token } = (await login(who.username as string, who.password)).body;
      const wallet = await env.call('GET', '/api/wallet', undefined, { token });
      expect(wallet.body.wallet).toMatchObject({ amount: 0, currency: expected });
    }
    expect((await register(lao({ currency: 'USD' }))).status).toBe(400);
  });

  test('Thai banks are none of its banks, and Lao ones take six to twenty digits', async () => {
    expect((await register(lao({ bankCode: 'KBANK' }))).body).toEqual({ message: 'INVALID_BANK' });
    expect((await register(lao({ bankAccountNo: '12345' }))).body).toEqual({ message: 'INVALID_BANK' });
    expect((await register(lao({ bankAccountNo: '1'.repeat(21) }))).body).toEqual({
      message: 'INVALID_BANK',
    });
    expect((await register(lao({ bankAccountNo: '010-12-00-654321' }))).status).toBe(200);
    const banks = await env.call('GET', '/api/lookup/banks');
    expect(banks.body.map((bank: { code: string }) => bank.code)).toContain('BCEL');
    expect(banks.body.map((bank: { code: string }) => bank.code)).not.toContain('KBANK');
  });

  test('a kip member gets kip limits, no baht QR, and amounts without decimals', async () => {
    const who = lao();
    await register(who);
    const { token } = (await login(who.username as string, who.password)).body;
    expect((await env.call('GET', '/api/lookup/withdraw', undefined, { token })).body).toEqual({
      isOpen: true,
      withdrawMin: 70_000,
      withdrawMax: 35_000_000,
      // No bank of ours pays kip by itself.
      automaticMax: 0,
      owesBets: false,
      playedTimes: 1,
      payoutsFrom: null,
      needsPin: false,
      hasOpen: false,
      last: null,
      verifyFrom: null,
    });
    const { banks } = (await env.call('GET', '/api/lookup/deposit', undefined, { token })).body;
    expect(
      banks.map((bank: { bankCode: string; currency: string }) => [bank.bankCode, bank.currency]),
    ).toEqual([
      ['BCEL', 'LAK'],
      ['BCEL', 'LAK'],
    ]);
    expect((await env.call('POST', '/api/qrcode/KBANK', { amount: 1000 }, { token })).body).toEqual({
      message: 'NO_BANK',
    });
    expect(
      (await env.call('POST', '/api/wallet/withdraw', { amount: 70_000.5 }, { token })).body.message,
    ).toBe('WITHDRAW_MINIMUM');
    expect((await env.call('POST', '/api/wallet/withdraw', { amount: 70_000 }, { token })).body.message).toBe(
      'MONEY_NOT_ENOUGH',
    );
  });

  test('kip are never sent to a bank that pays in baht: the withdrawal waits for an operator', async () => {
    const who = lao();
    const { _id } = (await register(who)).body;
    const { token } = (await login(who.username as string, who.password)).body;
    const { rows } = await env.pool.query('select wallet_account from member where id = $1', [_id]);
    const manual = await env.app.deps.systemAccount('manual', 'LAK');
    await env.app.deps.ledger.post({
      reference: `manual:lak:${_id}`,
      kind: 'manual_credit',
      memberId: BigInt(_id),
      legs: [{ from: manual, to: rows[0].wallet_account, amountMinor: 500_000n }],
      attached: manualEntryRow(BigInt(_id), `MNLAK${_id}`, 500_000n),
    });
    const response = await env.call('POST', '/api/wallet/withdraw', { amount: 70_000 }, { token });
    expect(response.body).toMatchObject({
      status: 'PENDING',
      amount: 70_000,
      to: 'BCEL',
      wallet: { amount: 430_000 },
    });
    const status = async () =>
      (await env.pool.query('select status from withdrawal where id = $1', [response.body.id])).rows[0]
        .status;
    expect(await status()).toBe('REVIEW');
    await env.owner.query("update withdrawal set status = 'QUEUED' where id = $1", [response.body.id]);
    await env.app.runJob('withdrawals.pay');
    expect([await status(), (await env.control('books')).payouts]).toEqual(['QUEUED', []]);
  });
});
