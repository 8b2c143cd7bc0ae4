import { describe, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { wheelHelpers } from '../wheel/testing-wheel.ts';

const env = await startTestEnv({ jobs: false });
const { offer, activate, forfeit, deposit, statement } = bonusHelpers(env);
const { open, transfer, transferAll } = gameHelpers(env);
const { prize, giveCoupon, redeem } = wheelHelpers(env);
await env.set('bonus.allowForfeit', true);
await env.control('settings', { payoutMode: 'manual' });

const read = async (member: TestMember, id: string, tag = 'th') =>
  (
    await env.call(
      'POST',
      '/api/statement',
      { page: 1, limit: 1, id },
      { token: member.token, headers: { 'accept-language': tag } },
    )
  ).body.statements[0];

describe('a receipt', () => {
  test('of a deposit names the paying bank with its masked number, the way in and the balance after', async () => {
    const member = await env.member({ amountMinor: 5_000n });
    const id = await deposit(member, 100);
    await deposit(member, 7);
    expect(await read(member, id)).toMatchObject({
      id,
      amount: 100,
      from: 'KBANK',
      receipt: {
        channel: 'QR',
        account: { bankCode: 'KBANK', name: null, number: expect.stringMatching(/x.*\d/) },
        balanceAfter: 150,
      },
    });
  });

  test('of a withdrawal names the account, masked, and follows it until the money is back', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const as = { token: member.token };
    const { id } = (await env.call('POST', '/api/wallet/withdraw', { amount: 400 }, as)).body;
    const digits = `xxx-x-x${member.accountNo.slice(5, 9)}-x`;
    expect(await read(member, id)).toMatchObject({
      status: 'PENDING',
      receipt: {
        channel: null,
        account: { name: expect.any(String), number: digits },
        balanceAfter: 600,
      },
    });
    await env.app.runJob('withdrawals.pay');
    await env.control('payout', { reference: id, state: 'REJECTED', reason: 'ACCOUNT_CLOSED' });
    await env.app.runJob('withdrawals.ask', { id });
    expect(await read(member, id)).toMatchObject({ status: 'FAILED', receipt: { balanceAfter: 1_000 } });
  });

  test('of a transfer shows the wallet after it, and emptying one game is that one row', async () => {
    const member = await env.member({ amountMinor: 50_000n });
    await open(member, 'betflix');
    const { id } = (await transfer(member, 'wallet', 'betflix', 120)).body;
    const all = (await transferAll(member, 'wallet')).body;
    expect(await read(member, id)).toMatchObject({ receipt: { account: null, balanceAfter: 380 } });
    expect(await read(member, all.id)).toMatchObject({
      from: 'betflix',
      to: 'wallet',
      amount: 120,
      receipt: { balanceAfter: 500 },
    });
  });
});

describe('a deposit without a bank transaction', () => {
  const operators = operatorHelpers(env);

  test('says that it is a payment the member reported', async () => {
    await env.set('deposit.manual', true);
    const member = await env.member();
    const { id } = (await env.call('POST', '/api/wallet/add', { amount: 20 }, { token: member.token })).body;
    expect(await read(member, id)).toMatchObject({ from: 'manual', status: 'PENDING', origin: 'report' });
  });

  test('says that it is a withdrawal the bank sent back, in the statement and the notification', async () => {
    const member = await env.member({ amountMinor: 40_000n });
    const as = { token: member.token };
    const { id } = (await env.call('POST', '/api/wallet/withdraw', { amount: 400 }, as)).body;
    await env.app.runJob('withdrawals.pay');
    await env.control('payout', { reference: id, state: 'PAID' });
    await env.app.runJob('withdrawals.ask', { id });
    const [maker, checker] = await Promise.all([
      operators.operator('finance'),
      operators.operator('finance-lead'),
    ]);
    const body = { proof: 'KBANK R-1', reason: 'sent back' };
    const path = `/api/operator/withdrawals/${id}/return`;
    const { approval } = (await operators.call(maker, 'POST', path, body)).body;
    await operators.call(checker, 'POST', `/api/operator/approvals/${approval}/approve`, {});
    const [row] = (await statement(member)) as unknown as object[];
    expect(row).toMatchObject({ statementType: 'deposit', from: 'manual', origin: 'return' });
    const list = await env.call('POST', '/api/notifications', { page: 1, limit: 2 }, as);
    expect(list.body.notifications).toMatchObject([
      { kind: 'deposit', origin: 'return' },
      { kind: 'withdraw', status: 'SUCCESS' },
    ]);
  });

  test('says nothing of the kind where an operator booked it', async () => {
    const member = await env.member({ amountMinor: 100n });
    const as = await operators.operator('finance-lead');
    const entry = { direction: 'credit', category: 'other', amount: 3, reason: 'a gift', key: 'entry-of-3' };
    const { status } = await operators.call(as, 'POST', `/api/operator/members/${member.id}/entries`, entry);
    expect(status).toBe(200);
    const [row] = (await statement(member)) as unknown as object[];
    expect(row).toMatchObject({ statementType: 'deposit', from: 'manual', amount: 3 });
    expect(row).not.toHaveProperty('origin');
  });
});

describe('the source of a row', () => {
  const TITLE = { th: 'ต้อนรับ', la: 'ຕ້ອນຮັບ', en: 'Welcome' };

  test('is named in the language it is read in, also where the run ended, and in the file', async () => {
    const member = await env.member();
    const terms = { award: 'fixed', award_amount: 5_000n, deposit_min: null, title: TITLE };
    const { statementId } = (await activate(member, await offer(terms))).body;
    await forfeit(member);
    const [end] = (await statement(member)) as unknown as { id: string; statementType: string }[];
    expect(end).toMatchObject({ statementType: 'finish_bonus' });
    for (const [tag, title] of [
      ['th', TITLE.th],
      ['lo', TITLE.la],
      ['en', TITLE.en],
    ] as const) {
      expect(await read(member, statementId, tag)).toMatchObject({ bonus: { description: title } });
      expect(await read(member, end!.id, tag)).toMatchObject({ bonus: { description: title } });
      const file = await fetch(`${env.url}/api/statement/csv`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${member.token}`,
          'content-type': 'application/json',
          'accept-language': tag,
        },
        body: '{}',
      });
      expect((await file.text()).match(new RegExp(`,${title}\r\n`, 'g'))).toHaveLength(2);
    }
  });

  test('keeps its name after the terms were renamed, and its own text where the source is unknown', async () => {
    const member = await env.member();
    const terms = { award: 'fixed', award_amount: 5_000n, deposit_min: null, title: TITLE };
    const { statementId } = (await activate(member, await offer({ ...terms, success_percent: 0 }))).body;
    await env.owner.query(
      `update bonus set title = '{"th":"อื่น","la":"ອື່ນ","en":"Other"}', version = version + 1
       where id = (select bonus_id from bonus_run where id = $1)`,
      [statementId],
    );
    expect(await read(member, statementId, 'en')).toMatchObject({ bonus: { description: TITLE.en } });
    await env.owner.query("update bonus_run set id = 'BNGONE' || member_id where id = $1", [statementId]);
    expect(await read(member, statementId, 'en')).toMatchObject({ bonus: { description: TITLE.th } });
  });

  test('is the prize of the coupon, whose redemption names the row', async () => {
    const member = await env.member();
    const coupon = await giveCoupon(member, await prize({ kind: 'CASH', value: 2_500n }));
    const { label, statementId } = (await redeem(member, coupon)).body.result;
    expect(await read(member, statementId)).toMatchObject({ luckydraw: { description: label } });
    expect((await read(member, statementId, 'en')).luckydraw.description).toMatch(/^Prize \d+$/);
  });
});
