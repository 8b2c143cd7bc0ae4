import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { chatHelpers } from '../chat/testing-chat.ts';
import { paymentHelpers } from '../deposits/testing-payments.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { inviteHelpers } from '../invites/testing-invites.ts';
import { refundHelpers } from '../refunds/testing-refunds.ts';
import { person } from '../registration/testing-people.ts';
import { notificationHelpers } from './testing-notifications.ts';

const env = await startTestEnv({ jobs: false });
await env.set('register.otp', false);
await env.control('settings', { payoutMode: 'manual' });
const { list, read } = notificationHelpers(env);
const { deposit, withdraw, offer, activate, forfeit } = bonusHelpers(env);
const { say, read: readConversation } = chatHelpers(env);
const { open, transfer, play } = gameHelpers(env);
const invites = inviteHelpers(env);
const refunds = refundHelpers(env);
const bank = paymentHelpers(env, () => env.app.deps.clock.now());
const operators = operatorHelpers(env);

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

/** A member who has read of the money they began with. */
async function quietMember(amountMinor = 100_000n): Promise<TestMember> {
  const member = await env.member({ amountMinor });
  const { notifications } = await list(member);
  if (notifications[0]) await read(member, notifications[0].id);
  return member;
}
const news = async (member: { token: string }) =>
  (await list(member)).notifications.filter((one: { isRead: boolean }) => !one.isRead);

/** Pays queued withdrawals, and resolves their outcome. */
async function payOut(id: string): Promise<void> {
  await env.app.runJob('withdrawals.pay');
  await env.control('payout', { reference: id, state: 'PAID' });
  await env.app.runJob('withdrawals.ask', { id });
}

describe('events are stored for the member', () => {
  test('money that arrives, by its row in the statement', async () => {
    const member = await quietMember();
    const id = await deposit(member, 250);
    expect(await news(member)).toMatchObject([
      { kind: 'deposit', status: 'SUCCESS', subject: id, amount: 250, isRead: false },
    ]);
  });

  test('a withdrawal once it has been paid, and not before', async () => {
    const member = await quietMember();
    const { id } = (await withdraw(member, 300)).body;
    expect(await news(member)).toEqual([]);
    await payOut(id);
    expect(await news(member)).toMatchObject([
      { kind: 'withdraw', status: 'SUCCESS', subject: id, amount: 300 },
    ]);
  });

  test('a withdrawal that the bank refuses, with its money back', async () => {
    const member = await quietMember();
    await env.fault({ party: 'bank-a', call: 'payout', kind: 'refuse', count: 1 });
    const { id } = (await withdraw(member, 300)).body;
    await env.app.runJob('withdrawals.pay');
    expect(await news(member)).toMatchObject([{ kind: 'withdraw', status: 'FAILED', subject: id }]);
    expect(await env.balance(member)).toBe(100_000n);
  });

  test('a bonus that has ended, by its title', async () => {
    const member = await quietMember(0n);
    await open(member, 'betflix');
    await deposit(member, 100);
    await activate(member, await offer());
    const [paidIn] = await news(member);
    await read(member, paidIn.id);
    expect((await forfeit(member)).status).toBe(200);
    expect(await news(member)).toMatchObject([
      { kind: 'bonus', status: 'FORFEITED', name: 'โบนัสทดสอบ', amount: 100 },
    ]);
  });

  test('a run that has ended, by its name in the language it is read in', async () => {
    const newestIn = async (member: TestMember, tag: string) => {
      const as = { token: member.token, headers: { 'accept-language': tag } };
      const page = { page: 1, limit: 1 };
      return (await env.call('POST', '/api/notifications', page, as)).body.notifications[0];
    };
    const namesOf = (member: TestMember) =>
      Promise.all(['th', 'lo', 'en'].map(async (tag) => (await newestIn(member, tag)).name));
    await env.set('refund.successPercent', 200);
    const [titled, inviter, loser] = [await quietMember(0n), await quietMember(0n), await quietMember(0n)];
    await deposit(titled, 100);
    await activate(titled, await offer());
    await invites.earner(inviter, 100);
    expect((await invites.receive(inviter)).status).toBe(200);
    await deposit(loser, 1_000);
    await open(loser, 'betflix');
    await transfer(loser, 'wallet', 'betflix', 400);
    await play(loser, 'betflix', 400, 'lose');
    expect((await refunds.receive(loser)).status).toBe(200);
    expect((await refunds.addWallet(loser)).status).toBe(200);
    for (const member of [titled, inviter, loser]) expect((await forfeit(member)).status).toBe(200);
    expect(await namesOf(titled)).toEqual(['โบนัสทดสอบ', 'ໂບນັດທົດສອບ', 'Test bonus']);
    expect(await namesOf(inviter)).toEqual(['โบนัสชวนเพื่อน', 'ໂບນັດຊວນໝູ່', 'Invite bonus']);
    expect(await namesOf(loser)).toEqual(['คืนยอดเสีย', 'ຄືນຍອດເສຍ', 'Cashback']);
    await env.owner.query("update bonus_run set id = 'BNGONE' || member_id where member_id = $1", [loser.id]);
    expect(await newestIn(loser, 'en')).toMatchObject({ kind: 'bonus', name: 'คืนยอดเสีย' });
  });

  test('an agent’s words once for all of them, and never once they have been read', async () => {
    const [member, som] = [await quietMember(), await operators.operator('support')];
    await say(member, 'a unique text');
    const { chats } = (await operators.call(som, 'GET', '/api/operator/chats?q=a%20unique%20text')).body;
    const response = (message: string) =>
      operators.call(som, 'POST', `/api/operator/chats/${chats[0].id}/messages`, {
        message: { message_type: 'text', payload: { message } },
      });
    for (const texts of ['one', 'two', 'three']) expect((await response(texts)).status).toBe(200);
    expect(await news(member)).toMatchObject([{ kind: 'chat', status: null, amount: null, name: null }]);
    await readConversation(member);
    expect(await news(member)).toEqual([]);
    await response('and one more thing');
    expect(await news(member)).toHaveLength(1);
  });

  test('a login from a device that was new, by its name', async () => {
    const who = person();
    await env.call('POST', '/api/account', who);
    const { username, password } = who;
    const login = async (agent: string) => {
      const headers = { 'user-agent': agent };
      return (await env.call('POST', '/api/login', { username, password }, { headers })).body;
    };
    const first = await login('Mozilla/5.0 (Linux; Android 14) Chrome/126.0');
    expect((await list(first)).total).toBe(0);
    await login('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Safari/604.1');
    expect(await news(first)).toMatchObject([{ kind: 'login', name: 'Safari · iPhone' }]);
  });
});

describe('the list', () => {
  test('is the member’s own, newest first, a page at a time', async () => {
    const [member, other] = [await quietMember(), await quietMember()];
    for (const amount of [10, 20, 30]) await deposit(member, amount);
    const { notifications, total, unread } = await list(member, 1, 2);
    expect(notifications.map(({ amount }: { amount: number }) => amount)).toEqual([30, 20]);
    expect([total, unread]).toEqual([4, 3]);
    expect((await list(member, 2, 2)).notifications.map((one: { amount: number }) => one.amount)).toEqual([
      10, 1_000,
    ]);
    expect((await read(other, notifications[0].id)).unread).toBe(0);
    expect((await list(member)).unread).toBe(3);
  });

  test('is read up to what has been seen; a repeat changes nothing', async () => {
    const member = await quietMember();
    for (const amount of [10, 20, 30]) await deposit(member, amount);
    const { notifications } = await list(member);
    expect(await read(member, notifications[1].id)).toEqual({ unread: 1 });
    const seen = async () =>
      (await env.owner.query('select id, read_at from notification where member_id = $1', [member.id])).rows;
    const before = await seen();
    expect(await read(member, notifications[1].id)).toEqual({ unread: 1 });
    expect(await seen()).toEqual(before);
  });

  test('rejects a caller without a session', async () => {
    for (const [path, body] of [
      ['/api/notifications', { page: 1, limit: 10 }],
      ['/api/notifications/read', { upTo: '1' }],
    ] as const)
      expect((await env.call('POST', path, body)).body.message).toBe('invalid-token');
  });

  test('forgets what is older than ninety days', async () => {
    const member = await quietMember();
    await deposit(member, 10);
    await env.owner.query(
      "update notification set created_at = now() - interval '91 days' where member_id = $1 and amount = 1000",
      [member.id],
    );
    await env.app.runJob('notifications.forget');
    expect((await list(member)).total).toBe(1);
  });
});

test('forty concurrent reports of a payment create one notification', async () => {
  const member = await quietMember();
  const { id } = await bank.qr(member, 75);
  const paid = bank.notice(id, { amount: '75.00', payerAccountNumber: member.accountNo });
  await Promise.all(Array.from({ length: 40 }, () => bank.notify(paid)));
  expect(await news(member)).toMatchObject([{ kind: 'deposit', amount: 75 }]);
});
