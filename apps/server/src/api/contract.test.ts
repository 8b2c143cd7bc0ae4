import { type CallDeclaration, refusalsOf } from '@krapao/contract/shared';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { bonusHelpers } from '../features/bonuses/testing-bonuses.ts';
import { chatHelpers } from '../features/chat/testing-chat.ts';
import { madeFilm } from '../features/content/testing-files.ts';
import { slipHelpers } from '../features/deposits/slips/testing-slips.ts';
import { inviteHelpers } from '../features/invites/testing-invites.ts';
import { kycHelpers } from '../features/kyc/testing-kyc.ts';
import { from, PROXY, peopleHelpers, person } from '../features/registration/testing-people.ts';
import { wheelHelpers } from '../features/wheel/testing-wheel.ts';
import { startTestEnv } from '../testing/test-env.ts';
import { CALLS, methodsOf, pathOf } from './testing-calls.ts';

const env = await startTestEnv({ jobs: false, environment: PROXY });
const { codeOn } = peopleHelpers(env);
const slips = slipHelpers(env);
const { offer, deposit } = bonusHelpers(env);
const { invitee, bet } = inviteHelpers(env);
const wheel = wheelHelpers(env);

const declared = Object.values(CALLS).flatMap((call) =>
  methodsOf(call).map((method) => `${method} ${call.path}`),
);

/** The part of a documented response that lists its codes. */
interface Refused {
  content: { 'application/json': { schema: { properties: { message: { enum: string[] } } } } };
}

describe('the document', () => {
  test('lists exactly the declared calls, each with its answer and its refusals', async () => {
    const { status, body } = await env.call('GET', '/docs');
    expect([status, body.openapi]).toEqual([200, '3.1.0']);
    const listed = Object.entries<
      Record<string, { responses: Record<string, Refused>; operationId: string; security: object[] }>
    >(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
    expect(listed.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
    for (const { name, operation } of listed)
      expect([name, Object.keys(operation.responses)]).toEqual([name, ['200', '4XX']]);
    expect(new Set(listed.map(({ operation }) => operation.operationId)).size).toBe(listed.length);
    for (const call of Object.values(CALLS))
      for (const method of methodsOf(call)) {
        const { operation } = listed.find(({ name }) => name === `${method} ${call.path}`)!;
        expect(
          operation.responses['4XX']!.content['application/json'].schema.properties.message.enum,
        ).toEqual(refusalsOf(call));
      }
    for (const call of Object.values(CALLS))
      for (const method of methodsOf(call))
        expect(listed.find(({ name }) => name === `${method} ${call.path}`)!.operation.security).toEqual(
          call.access === 'member' ? [{ member: [] }] : [],
        );
  });

  test('names every call of the specification that is served so far at its path', async () => {
    for (const call of Object.values(CALLS))
      for (const method of methodsOf(call)) {
        const response = await env.call(
          method,
          pathOf(call),
          method === 'GET' || method === 'DELETE' ? undefined : {},
        );
        expect([method, call.path, response.status, response.body?.message]).not.toEqual([
          method,
          call.path,
          404,
          'NO_DATA',
        ]);
      }
  });
});

describe('a member’s whole day', () => {
  const walked = new Set<string>();
  let token = '';

  /** Makes one call that must succeed, and checks the answer against its declaration. */
  async function walk(name: string, body?: unknown, params?: Record<string, string>) {
    const call = CALLS[name] as CallDeclaration;
    const response = await env.call(call.method, pathOf(call, params), body, {
      ...from('192.0.2.9'),
      ...(token ? { token } : {}),
    });
    expect([name, response.status, response.body]).toEqual([name, 200, response.body]);
    const faults = [...Value.Errors(call.reply, response.body)].map((fault) => JSON.stringify(fault));
    expect([name, faults]).toEqual([name, []]);
    walked.add(name);
    return response.body;
  }

  /** One bonus and a promotion are given up, another bonus is lost in the game; none leaves anything behind. */
  async function walkBonuses(username: string) {
    const terms = { award: 'fixed', award_amount: 20_000n, award_max: null, deposit_min: null };
    const [first, second] = [await offer(terms), await offer(terms)];
    await walk('activateBonus', undefined, { code: first });
    for (const name of ['listBonuses', 'checkActive', 'checkMinimum', 'forfeitBonus', 'checkActive'])
      await walk(name);
    await walk('activateBonus', undefined, { code: second });
    await walk('transfer', { from: 'wallet', to: 'betflix', amount: 200 });
    await env.control('play', { agent: 'betflix', username, stake: 200, rounds: 1, result: 'lose' });
    await walk('clearBonus');
    const third = await offer({ ...terms, kind: 'promotion', max_received: 1 });
    await walk('findPromotion', undefined, { code: third.toLowerCase() });
    await walk('currentPromotion');
    await walk('activatePromotion', undefined, { code: third });
    await walk('currentPromotion');
    await walk('forfeitBonus');
  }

  /** A word, a picture and a film are said and read. */
  async function walkChat() {
    await walk('readChatConfig');
    const message = { message_type: 'text', payload: { message: 'สวัสดี' } };
    await walk('sendChatMessage', { message });
    await walk('listChatHistory', { limit: 10, skip: 0 });
    await walk('countUnreadChat', {});
    await walk('readChat', {});
    const { upload } = chatHelpers(env);
    const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } }).png();
    const files = [
      await upload('a.png', await picture.toBuffer()),
      await upload('a.mp4', madeFilm(9), 'video'),
    ];
    for (const [at, name] of ['uploadChatImage', 'uploadChatVideo'].entries()) {
      expect([name, [...Value.Errors(CALLS[name]!.reply, files[at]!.body)]]).toEqual([name, []]);
      walked.add(name);
    }
  }

  /** A friend has paid in and played; what that earned is received and given up. */
  async function walkInvites(memberId: string) {
    const friend = await invitee({ id: BigInt(memberId) });
    await deposit(friend, 100);
    await bet(friend, 100, 3);
    await walk('receiveInviteBonus');
    await walk('listInvites', { page: 1, limit: 10 });
    await walk('forfeitBonus');
  }

  /** What has happened is read; a browser is subscribed and forgotten. */
  async function walkNotifications(phone: string) {
    const { notifications } = await walk('listNotifications', { page: 1, limit: 10 });
    await walk('readNotifications', { upTo: notifications[0].id });
    const { kinds } = await walk('readPush');
    const { endpoint, keys } = await env.control('push', { phone });
    await walk('subscribePush', { endpoint, keys, language: 'th' });
    await walk('setPush', { kinds: { ...kinds, chat: false }, hidesAmounts: true });
    await walk('unsubscribePush');
  }

  /** The wheel, and what it pays. */
  async function walkWheel(_id: string) {
    const member = { id: BigInt(_id), phone: '', token, accountNo: '' };
    await wheel.giveCoins(member, 1);
    await wheel.putUp([{ kind: 'CASH', value: 500n }]);
    for (const name of ['spinwheelActive', 'setup', 'spin']) await walk(name);
    const { result } = await walk('listCoupons');
    await walk('redeemCoupon', { coupon: result[0]._id });
  }

  /** An operator requests a document and the member sends it. */
  async function walkKyc(_id: string) {
    await env.owner.query(
      "insert into kyc_check (member_id, state, round, wanted, requested_at) values ($1, 'REQUESTED', 1, '{identity}', now())",
      [_id],
    );
    await walk('readKyc');
    const { body } = await kycHelpers(env).send({ token }, 'identity');
    expect([...Value.Errors(CALLS.sendKycDocument!.reply, body)]).toEqual([]);
    walked.add('sendKycDocument');
  }

  test('touches every declared call, and each answer has the declared shape', async () => {
    const who = person();
    const phone = who.username as string;
    for (const name of [
      'banks',
      'conditions',
      'agreements',
      'info',
      'notice',
      'contact',
      'sources',
      'active',
      'registerOtp',
      'enableChatWidget',
      'listGuides',
      'help',
    ])
      await walk(name);
    const { otpToken } = await walk('sendOtp', { phoneNumber: phone });
    await walk('verifyOtp', { otpToken, otpCode: await codeOn(phone) });
    await walk('sendOtp', { phoneNumber: phone });
    await walk('validateRegistration', who);
    const { _id } = await walk('register', who);
    ({ token } = await walk('login', { username: phone, password: who.password }));
    for (const name of ['deposit', 'withdraw', 'slip', 'readProfile', 'readWallet']) await walk(name);
    for (const name of ['homeBanners', 'inviteBanners', 'refundBanners']) await walk(name);
    const KBANK = { bankCode: 'KBANK' };
    await walk('createQr', { amount: 10 }, KBANK);
    await walk('cancelQr', undefined, KBANK);
    await walk('readQr', undefined, KBANK);
    const { payload } = await walk('createQr', { amount: 1000 }, KBANK);
    await walk('readQr', undefined, KBANK);
    await env.control('pay-qr', { payload });
    await expect.poll(async () => (await walk('readWallet')).wallet.amount).toBe(1000);
    await walk('activateSlot', undefined, { slotCode: 'betflix' });
    await walk('resetSlotPassword', undefined, { slotCode: 'betflix' });
    const { username, password } = await walk('readSlotAccount', undefined, { slotCode: 'betflix' });
    await walk('transfer', { from: 'wallet', to: 'betflix', amount: 500 });
    await walk('refreshSlots');
    await walk('transferAll', { to: 'wallet' });
    await walk('autoLogin', undefined, { game: 'betflix', username });
    await walk('autoLoginWithPassword', undefined, { game: 'betflix', username, password });
    await walkBonuses(username);
    await walkInvites(_id);
    await walkWheel(_id);
    await walk('transfer', { from: 'wallet', to: 'betflix', amount: 100 });
    await env.control('play', { agent: 'betflix', username, stake: 100, rounds: 1, result: 'lose' });
    for (const name of ['checkRefund', 'receiveRefund', 'addRefundToWallet']) await walk(name);
    await walk('listRefunds', { page: 1, limit: 10 });
    await env.set('withdraw.oneOpen', false);
    await walk('withdrawFromWallet', { amount: 100 });
    await walk('transfer', { from: 'wallet', to: 'betflix', amount: 500 });
    await walk('withdrawAll', { amount: 800 });
    await env.set('deposit.manual', true);
    const { link } = await env.control('vouchers', { amount: 20 });
    await walk('truelink', { link });
    await walk('reportPayment', { amount: 50 });
    const { bytes } = await slips.make({ phone: '0815550142' });
    const { body: handedIn } = await slips.upload({ token }, bytes);
    expect([...Value.Errors(CALLS.uploadSlip!.reply, handedIn)]).toEqual([]);
    walked.add('uploadSlip');
    await walkKyc(_id);
    await walkChat();
    await walk('listSlips', { page: 1, limit: 10 });
    await walk('readSlip', undefined, { reference: handedIn.reference });
    expect((await walk('listStatements', { page: 1, limit: 100 })).total).toBeGreaterThan(5);
    await walk('readWallet');
    await walkNotifications(phone);
    const requested = {
      name: 'ใหม่',
      bankCode: 'KTB',
      bankAccountName: 'NEW NAME',
      bankAccountNo: '9998887776',
    };
    expect(await walk('changeProfile', requested)).toEqual({ status: 'PENDING' });
    expect((await walk('readProfile')).bankAccountRequest.status).toBe('PENDING');
    await env.owner.query(
      "update bank_account set bank_code = 'BBL', account_name = 'ชื่อ ไทย' where member_id = $1",
      [_id],
    );
    await walk('withdrawAccountRequest');
    await walk('correctAccountName', { bankCode: 'BBL', bankAccountName: 'NEW NAME' });
    await walk('changePassword', { oldPassword: who.password, newPassword: 'another one' });
    await walk('setPin', { password: 'another one', pin: '135790' });
    await walk('provePin', { pin: '135790' });
    await walk('removePin', { password: 'another one' });
    await walk('setLimit', { kind: 'deposit', period: 'day', amount: 1 });
    await walk('removeLimit', undefined, { kind: 'deposit', period: 'day' });
    await walk('readLimits');
    await walk('startExclusion', { length: 'forever' });
    await walk('endOtherSessions');
    const { sessions } = await walk('listSessions');
    await walk('confirmSession', undefined, { id: sessions[0].id });
    await walk('endOneSession', undefined, { id: sessions[0].id });
    ({ token } = await walk('login', { username: phone, password: 'another one' }));
    await walk('logout');
    token = '';
    // A new day begins with a forgotten password, once the phone may be written to again.
    await env.owner.query('delete from throttle');
    const { seq } = await env.control('state');
    const forgotten = await walk('sendPasswordCode', { phoneNumber: phone });
    const { facts } = await env.control('wait', { for: 'sms', phone, after: seq });
    await walk('verifyPasswordCode', { otpToken: forgotten.otpToken, otpCode: facts.otp });
    await walk('resetPassword', { otpToken: forgotten.otpToken, newPassword: 'a third one' });
    await env.set('register.otp', false);
    const leaver = person();
    await env.call('POST', '/api/account', leaver);
    ({ token } = await walk('login', { username: leaver.username, password: leaver.password }));
    await walk('closeAccount', { password: leaver.password });
    expect(_id).toMatch(/^\d+$/);
    expect([...walked].toSorted()).toEqual(Object.keys(CALLS).toSorted());
  });
});
