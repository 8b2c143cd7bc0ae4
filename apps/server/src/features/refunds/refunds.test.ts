import { DAY_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { SETTING_DEFAULTS, type SettingKey } from '../../platform/settings.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';
import { pass, pushedClock } from '../testing.ts';
import { findWithdrawal, settleWithdrawal } from '../withdrawals/read.ts';
import { shareOf } from './figures.ts';
import { refundHelpers } from './testing-refunds.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
await env.set('withdraw.automaticMax', { BAHT: 0, LAK: 0 });
const operators = operatorHelpers(env);
const { deposit, offer, activate, forfeit, active, clear, withdraw, statement } = bonusHelpers(env);
const { open, transfer, transferAll, play } = gameHelpers(env);
const { check, receive, addWallet, list, openBet } = refundHelpers(env);

const outcomes = ({
  status,
  body,
}: {
  status: number;
  body: { message?: string; data?: { reason?: string } };
}) => (status === 200 ? 'done' : [body.message, body.data?.reason].filter(Boolean).join(' '));

async function lose(member: TestMember, amount: number, slot = 'betflix'): Promise<void> {
  await open(member, slot);
  await transfer(member, 'wallet', slot, amount);
  await play(member, slot, amount, 'lose');
}
/** A member who paid in 1,000.00 and lost so much of it. */
async function loser(amount = 400): Promise<TestMember> {
  const member = await env.member();
  await deposit(member, 1_000);
  await lose(member, amount);
  return member;
}
async function during<T>(key: SettingKey, value: unknown, work: () => Promise<T>): Promise<T> {
  await env.set(key, value);
  try {
    return await work();
  } finally {
    await env.set(key, SETTING_DEFAULTS[key]);
  }
}
const nextDay = async () => {
  await env.owner.query("update session set expires_at = 'infinity'");
  await pass(env, clock, DAY_MS);
};
/** An operator's refusal of the withdrawal that waits. */
async function release(member: TestMember): Promise<void> {
  const { rows } = await env.pool.query(
    "select id from withdrawal where member_id = $1 and status = 'REVIEW'",
    [member.id],
  );
  const row = (await findWithdrawal(env.pool, rows[0].id))!;
  await settleWithdrawal(env.app.deps, row, 'released', { actor: 'test', payoutState: null }, 'no');
}

describe('what was lost', () => {
  test('is paid in, and what was there, less taken out and what is left; and five in a hundred come back', async () => {
    const member = await loser();
    expect(await withdraw(member, 100)).toMatchObject({ status: 200 });
    const seen = await check(member);
    expect(seen).toMatchObject({
      result: false,
      bonus: false,
      reason: 'OPEN',
      refundAmount: 20,
      refundSuccess: 0,
      refundFail: 0,
    });
    const { from, to, ...figures } = seen.info;
    expect(figures).toEqual({
      deposits: 1_000,
      withdrawals: 100,
      opening: 0,
      balance: 500,
      loss: 400,
      percent: 5,
      receivable: 20,
      received: 0,
    });
    expect(Date.parse(from)).toBeLessThan(Date.parse(to));
    await release(member);
    expect(await check(member)).toMatchObject({
      result: true,
      reason: null,
      info: { withdrawals: 0, balance: 600, loss: 400 },
    });
  });

  test('of a whole history is what the member themselves would count', async () => {
    const member = await env.member({ amountMinor: 20_000n });
    expect((await check(member)).info).toMatchObject({ deposits: 200, loss: 0 });
    await deposit(member, 300);
    await lose(member, 120);
    await open(member, 'pg');
    await transfer(member, 'wallet', 'pg', 50);
    await play(member, 'pg', 50, 'win');
    const won = (await env.call('GET', '/api/wallet/refresh/slot', undefined, { token: member.token })).body;
    const atPg = won.slots.find(({ code }: { code: string }) => code === 'pg').amount;
    const finance = await operators.operator('finance');
    const fee = await operators.call(finance, 'POST', `/api/operator/members/${member.id}/entries`, {
      direction: 'debit',
      amount: 30,
      category: 'fee',
      reason: 'a fee',
      key: `fee-of-${member.id}-once`,
    });
    expect(fee.body).toMatchObject({ state: 'SUCCESS' });
    const draw = await openBet(member, 40);
    expect((await check(member)).info).toMatchObject({
      deposits: 500,
      withdrawals: 30,
      balance: 380 - 30 - 50 + atPg,
      loss: Math.max(0, 120 + 50 - atPg),
    });
    await draw();
    const balance = (await check(member)).info.balance;
    expect((await check(member)).info.loss).toBe(Math.max(0, 500 - 30 - balance));
  });

  test('does not hold a bet that is still open', async () => {
    const member = await env.member();
    await deposit(member, 500);
    await openBet(member, 200);
    expect(await check(member)).toMatchObject({ reason: 'OPEN', info: { balance: 500, loss: 0 } });
    expect(outcomes(await receive(member))).toBe('REFUND_CONDITION OPEN');
  });

  test('does not hold money on its way to a game', async () => {
    const member = await env.member();
    await deposit(member, 500);
    await open(member, 'betflix');
    await env.fault({ party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 });
    await transfer(member, 'wallet', 'betflix', 200);
    expect(await check(member)).toMatchObject({ reason: 'OPEN', info: { balance: 500, loss: 0 } });
  });

  test('does not hold a bonus that was lost, and what was won by one makes it less', async () => {
    const member = await env.member();
    await deposit(member, 100);
    await activate(member, await offer());
    expect(await check(member)).toMatchObject({
      bonus: true,
      reason: 'RUN',
      info: { deposits: 100, balance: 200 },
    });
    await lose(member, 200);
    await clear(member);
    expect((await check(member)).info).toMatchObject({ deposits: 100, balance: 0, loss: 100 });
    const lucky = await env.member();
    await deposit(lucky, 100);
    await lose(lucky, 80);
    await activate(
      lucky,
      await offer({ award: 'fixed', award_amount: 5_000n, deposit_min: null, success_percent: 0 }),
    );
    expect((await check(lucky)).info).toMatchObject({ deposits: 100, balance: 70, loss: 30 });
  });

  test('counts a deposit taken back as money taken out', async () => {
    const member = await loser(100);
    await transferAll(member, 'wallet');
    await deposit(member, 500);
    const { rows } = await env.pool.query('select id from deposit where member_id = $1 and amount = 50000', [
      member.id,
    ]);
    const [maker, checker] = [await operators.operator('finance'), await operators.operator('finance-lead')];
    const { body } = await operators.call(maker, 'POST', `/api/operator/deposits/${rows[0].id}/reverse`, {
      reason: 'not theirs',
    });
    await operators.call(checker, 'POST', `/api/operator/approvals/${body.approval}/approve`, {});
    expect((await check(member)).info).toMatchObject({ deposits: 1_500, withdrawals: 500, loss: 100 });
  });

  test.each([
    [10_039n, 5, 500_000n, 501n],
    [19n, 5, 500_000n, 0n],
    [20_000_000n, 5, 500_000n, 500_000n],
    [0n, 5, 500_000n, 0n],
  ])('of %s at %s in a hundred, at most %s, brings %s', (loss, percent, cap, share) => {
    expect(shareOf(loss, percent, cap)).toBe(share);
  });

  test('is read off the games twenty times a minute at most for who only looks', async () => {
    const member = await loser(100);
    for (let time = 0; time < 20; time++) await check(member);
    await lose(member, 50);
    expect((await check(member)).info.loss).toBe(100);
    expect((await receive(member)).body.amount).toBe(7.5);
  });
});

describe('receiving it', () => {
  test('closes the period, fills the refund balance and writes the log; adding to the wallet is a separate call', async () => {
    const member = await loser();
    const response = await receive(member);
    expect(response).toMatchObject({ status: 200, body: { message: 'REFUND_SUCCESS', amount: 20 } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await env.balance(member)).toBe(60_000n);
    expect(await check(member)).toMatchObject({
      result: false,
      reason: 'DAY',
      refundAmount: 20,
      info: { opening: 600, deposits: 0, withdrawals: 0, balance: 600, loss: 0, receivable: 0, received: 20 },
    });
    expect(await list(member)).toMatchObject({
      total: 1,
      refunds: [{ refundAmount: 20, loss: 400, percent: 5 }],
    });
    const marketing = await operators.operator('marketing');
    const seen = await operators.call(marketing, 'GET', `/api/operator/refunds?member=${member.id}`);
    expect(seen.body).toMatchObject({
      total: 1,
      sums: [{ currency: 'BAHT', amount: 20 }],
      refunds: [
        {
          member: { id: String(member.id) },
          deposits: 1_000,
          opening: 0,
          balance: 600,
          loss: 400,
          amount: 20,
        },
      ],
    });
    expect((await statement(member)).some(({ statementType }) => statementType === 'bonus')).toBe(false);
    const added = await addWallet(member);
    expect(added.body).toEqual({ message: 'REFUND_SUCCESS', amount: 20, statementId: expect.any(String) });
    expect(await env.balance(member)).toBe(62_000n);
    expect((await statement(member))[0]).toMatchObject({
      statementType: 'bonus',
      from: 'refund',
      amount: 20,
      refund: { description: 'คืนยอดเสีย' },
    });
    expect(await active(member)).toMatchObject({ status: false });
    expect(outcomes(await addWallet(member))).toBe('NO_REFUND');
    // What was given back is nothing paid in: lost again, it does not come back again.
    await nextDay();
    await lose(member, 100, 'betflix');
    expect((await check(member)).info).toMatchObject({ opening: 600, deposits: 0, balance: 520, loss: 80 });
  });

  test('works once a day, and with nothing lost not at all', async () => {
    const member = await loser();
    expect(outcomes(await receive(member))).toBe('done');
    await lose(member, 100);
    expect(outcomes(await receive(member))).toBe('REFUND_CONDITION DAY');
    await nextDay();
    expect((await receive(member)).body.amount).toBe(5);
    await nextDay();
    expect(outcomes(await receive(member))).toBe('REFUND_MINIMUM');
    expect(await check(member)).toMatchObject({ result: false, reason: 'NOTHING' });
    expect(await list(member, 1, 1)).toMatchObject({ total: 2, refunds: [{ refundAmount: 5 }] });
    expect(await list(member, 2, 1)).toMatchObject({ total: 2, refunds: [{ refundAmount: 20 }] });
    expect(await list(member, 3, 1)).toEqual({ total: 2, refunds: [] });
  });

  test('forty at once pay once; so does adding to the wallet', async () => {
    const member = await loser();
    const received = await Promise.all(Array.from({ length: 40 }, () => receive(member)));
    expect(received.filter(({ status }) => status === 200).map(({ body }) => body.amount)).toEqual([20]);
    expect(new Set(received.filter(({ status }) => status !== 200).map(outcomes))).toEqual(
      new Set(['REFUND_CONDITION DAY']),
    );
    const added = await Promise.all(Array.from({ length: 40 }, () => addWallet(member)));
    expect(added.filter(({ status }) => status === 200).map(({ body }) => body.amount)).toEqual([20]);
    expect(new Set(added.filter(({ status }) => status !== 200).map(outcomes))).toEqual(
      new Set(['NO_REFUND']),
    );
    expect(await env.balance(member)).toBe(62_000n);
  });

  test('beside deposits and bets loses none of them', async () => {
    const member = await loser();
    await Promise.all([
      receive(member),
      deposit(member, 50),
      lose(member, 10, 'pg'),
      receive(member),
      check(member),
    ]);
    await nextDay();
    await receive(member);
    const { rows } = await env.pool.query(
      'select sum(loss)::bigint as lost from refund_period where member_id = $1',
      [member.id],
    );
    expect(rows[0].lost).toBe(41_000n);
  });

  test('is refused while a run is under way, a game is silent, too much is left, or the list of bonuses is off', async () => {
    const member = await loser();
    await during('refund.balanceMax', { BAHT: 599, LAK: 419_300 }, async () => {
      expect(await check(member)).toMatchObject({ result: false, reason: 'BALANCE', most: 599 });
      expect((await receive(member)).body.data).toEqual({ reason: 'BALANCE', most: 599 });
    });
    await during('refund.active', false, async () => {
      expect(await check(member)).toMatchObject({ result: false, reason: 'INACTIVE' });
      expect(outcomes(await receive(member))).toBe('REFUND_INACTIVE');
    });
    await env.fault({ party: 'game-f', call: 'balance', kind: 'outage', count: 2 });
    expect(await check(member)).toMatchObject({ result: false, reason: 'SILENT', info: { loss: 400 } });
    expect(outcomes(await receive(member))).toBe('PROVIDER_UNAVAILABLE');
    await receive(member);
    await activate(member, await offer({ award: 'fixed', award_amount: 500n, deposit_min: null }));
    expect(outcomes(await receive(member))).toBe('REFUND_CONDITION RUN');
    expect(outcomes(await addWallet(member))).toBe('REFUND_CONDITION');
    await forfeit(member);
    expect(outcomes(await addWallet(member))).toBe('done');
  });

  test('starts a run where it has terms, which an excluded member cannot start', async () => {
    const [one, other] = [await loser(), await loser()];
    await receive(one);
    await receive(other);
    await during('refund.successPercent', 200, async () => {
      expect(outcomes(await addWallet(one))).toBe('done');
      expect(await active(one)).toMatchObject({ status: true, type: 'refund', base: 20, target: 40 });
      await env.call('POST', '/api/limits/break', { length: '24h' }, { token: other.token });
      expect(outcomes(await addWallet(other))).toBe('SELF_EXCLUDED');
    });
    expect(outcomes(await addWallet(other))).toBe('done');
    await forfeit(one);
    expect(await env.balance(one)).toBe(60_000n);
  });

  test('is for members, and not for a page that looks ahead', async () => {
    for (const path of ['check', 'receive', 'addWallet'])
      expect((await env.call('GET', `/api/refund/${path}`)).body.message).toBe('invalid-token');
    const member = await loser();
    const headers = { purpose: 'prefetch' };
    const ahead = { token: member.token, headers };
    expect((await env.call('GET', '/api/refund/receive', undefined, ahead)).status).toBe(503);
    expect((await env.call('POST', '/api/refund/receive', undefined, { token: member.token })).status).toBe(
      200,
    );
    expect(
      (await env.call('POST', '/api/refund', { page: 0, limit: 10 }, { token: member.token })).body,
    ).toEqual({
      message: 'INVALID_REQUEST',
    });
  });
});

test('a long history is summed once in advance, with the same figures', async () => {
  const member = await loser();
  const before = (await check(member)).info;
  await env.owner.query('delete from refund_sum where member_id = $1', [member.id]);
  await env.owner.query(
    `insert into ledger_posting (account_id, entry_id, leg, amount, balance_after)
     select m.wallet_account, -n, 0, 0, 0 from member m, generate_series(1, 2500) n where m.id = $1`,
    [member.id],
  );
  await env.owner.query(
    'update ledger_account a set version = version + 2500 from member m where m.wallet_account = a.id and m.id = $1',
    [member.id],
  );
  await env.app.runJob('refunds.addUp');
  const { rows } = await env.pool.query('select paid_in, paid_out from refund_sum where member_id = $1', [
    member.id,
  ]);
  expect(rows).toEqual([{ paid_in: 100_000n, paid_out: 0n }]);
  expect((await check(member)).info).toEqual({ ...before, to: expect.any(String) });
  await env.owner.query('alter table ledger_posting disable trigger user');
  await env.owner.query('delete from ledger_posting where entry_id < 0');
  await env.owner.query('alter table ledger_posting enable trigger user');
  await env.owner.query(
    'update ledger_account a set version = version - 2500 from member m where m.wallet_account = a.id and m.id = $1',
    [member.id],
  );
});

test('the books add up', async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});
