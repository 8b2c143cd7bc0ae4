import { randomBytes } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { newId, newToken } from '../../platform/ids.ts';
import { hashToken } from '../../platform/secrets.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { paymentHelpers } from '../deposits/testing-payments.ts';
import { inviteHelpers } from '../invites/testing-invites.ts';
import { pass, pushedClock } from '../testing.ts';
import { notificationHelpers, type TestBrowser } from './testing-notifications.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { request, subscribe, list, read, push, arrived, ...helpers } = notificationHelpers(env);
const { deposit, withdraw, forfeit } = bonusHelpers(env);
const invites = inviteHelpers(env);
const bank = paymentHelpers(env, () => clock.now());
const browser = (member: TestMember): Promise<TestBrowser> => helpers.browser(member);

beforeEach(() => env.control('faults', { clear: true }));
afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

/** A member who has turned it on. */
async function listener(language = 'en'): Promise<TestMember & { browser: TestBrowser }> {
  const member = await env.member();
  const one = await browser(member);
  expect((await subscribe(member, one, language)).status).toBe(200);
  return { ...member, browser: one };
}
/** Something happens to a member who cannot make it happen themselves. */
const happen = (member: TestMember) =>
  env.owner.query("select notify_member($1, 'deposit', $2, 'SUCCESS', 2000, null, $3)", [
    member.id,
    randomBytes(6).toString('hex'),
    clock.now(),
  ]);
/** Another session of the same member. */
async function elsewhere(member: TestMember): Promise<TestMember> {
  const token = newToken();
  const now = clock.now();
  await env.owner.query(
    'insert into session (token_hash, member_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [hashToken(token), member.id, now, new Date(now.getTime() + DAY_MS)],
  );
  return { ...member, token };
}
const state = async (member: TestMember) => (await request(member, 'GET', '/api/push')).body;
const left = async (member: TestMember) => {
  const sql = `select d.tries from push_delivery d join notification n on n.id = d.notification_id where n.member_id = $1`;
  return (await env.owner.query(sql, [member.id])).rows;
};
const preferences = (member: TestMember, kinds: object = {}, hidesAmounts = false) =>
  request(member, 'PUT', '/api/push', {
    kinds: { money: true, bonus: true, chat: true, login: true, ...kinds },
    hidesAmounts,
  });

describe('what is brought to a browser', () => {
  test('is encrypted for it, in its language, with the way to the row', async () => {
    const member = await listener('th');
    const id = await deposit(member, 1_234.5);
    await push();
    expect(await arrived(member)).toEqual([
      {
        id: (await list(member)).notifications[0].id,
        title: 'เงินเข้าแล้ว',
        body: '1,234.50 บาท เข้ากระเป๋าแล้ว',
        url: `/user/statement?open=receipt&arg=${id}`,
        lang: 'th',
        at: expect.any(Number),
      },
    ]);
    expect(await left(member)).toEqual([]);
  });

  test('tells of a paid withdrawal', async () => {
    const member = await listener();
    await deposit(member, 500);
    const { id } = (await withdraw(member, 300)).body;
    await env.owner.query("update withdrawal set status = 'QUEUED' where id = $1", [id]);
    await env.app.runJob('withdrawals.pay');
    await env.control('wait', { for: 'payout', reference: id, timeoutMs: 10_000 });
    await env.app.runJob('withdrawals.ask', { id });
    await push();
    expect((await arrived(member)).map(({ title, body }) => [title, body]).toSorted()).toEqual([
      ['Money has arrived', '500.00 baht is in your wallet.'],
      ['Withdrawal paid', '300.00 baht has been sent to your bank account.'],
    ]);
  });

  test('says of a withdrawal that the bank sent back what it is', async () => {
    const member = await listener();
    await env.owner.query("select notify_member($1, 'deposit', $2, 'SUCCESS', 30000, null, $3)", [
      member.id,
      newId('RT', clock.now()),
      clock.now(),
    ]);
    await push();
    expect(await arrived(member)).toMatchObject([
      { title: 'Withdrawal returned by the bank', body: '300.00 baht is back in your wallet.' },
    ]);
  });

  test('says of a deposit and a slip that were refused that they were, and leads to where it is explained', async () => {
    for (const [language, hides, deposited, slip] of [
      [
        'en',
        false,
        [
          'Deposit not added',
          '500.00 baht wasn’t added to your wallet. If the money left your account, contact support.',
        ],
        ['Slip not accepted', 'Tap to see why.'],
      ],
      ['th', true, ['ฝากเงินไม่สำเร็จ', 'แตะเพื่อดูรายการ'], ['สลิปไม่ผ่านการตรวจสอบ', 'แตะเพื่อดูเหตุผล']],
    ] as const) {
      const member = await listener(language);
      await preferences(member, {}, hides);
      for (const [subject, amount] of [
        ['DP1', 50_000],
        ['SL1', null],
      ])
        await env.owner.query("select notify_member($1, 'deposit', $2, 'FAILED', $3, null, $4)", [
          member.id,
          subject,
          amount,
          clock.now(),
        ]);
      await push();
      const messages = await arrived(member);
      expect(Object.fromEntries(messages.map(({ url, title, body }) => [url, [title, body]]))).toEqual({
        '/user/statement?open=receipt&arg=DP1': deposited,
        '/user/statement?open=slips': slip,
      });
    }
  });

  test('warns of a request for another bank account whatever the member chose, and says how it was decided', async () => {
    const member = await listener();
    const none = { money: false, bonus: false, chat: false, login: false };
    await env.call('PUT', '/api/push', { kinds: none, hidesAmounts: true }, { token: member.token });
    for (const [state, status] of [
      ['PENDING', null],
      ['APPROVED', 'SUCCESS'],
      ['REFUSED', 'FAILED'],
    ])
      await env.owner.query("select notify_member($1, 'account', $2, $3, null, null, $4)", [
        member.id,
        `AP1:${state}`,
        status,
        clock.now(),
      ]);
    await push();
    const messages = await arrived(member);
    expect(messages.map(({ title }) => title).toSorted()).toEqual([
      'Bank account changed',
      'Bank account not changed',
      'Change of bank account requested',
    ]);
    expect(new Set(messages.map(({ url }) => url))).toEqual(new Set(['/user/profile']));
  });

  test('names a run that has ended in the language of the browser', async () => {
    const members = [await listener('th'), await listener('la'), await listener('en')];
    for (const member of members) {
      await invites.earner(member, 100);
      expect((await invites.receive(member)).status).toBe(200);
      expect((await forfeit(member)).status).toBe(200);
    }
    await push();
    const bodies = members.map(async (member) => (await arrived(member)).map(({ body }) => body));
    expect(await Promise.all(bodies)).toEqual([['โบนัสชวนเพื่อน'], ['ໂບນັດຊວນໝູ່'], ['Invite bonus']]);
  });

  test('is brought once, however many workers look at once', async () => {
    const member = await listener();
    await deposit(member, 20);
    await Promise.all(Array.from({ length: 40 }, push));
    expect(await arrived(member)).toHaveLength(1);
  });

  test('uses the language that the browser sent last, and survives a change of it', async () => {
    const member = await listener('th');
    await deposit(member, 20);
    expect((await subscribe(member, member.browser, 'la')).status).toBe(200);
    await push();
    expect(await arrived(member)).toMatchObject([{ title: 'ເງິນເຂົ້າແລ້ວ' }]);
  });

  test('delays no money while a browser unsubscribes, and is stored for the member', async () => {
    const member = await listener();
    const deleting = await env.owner.connect();
    await deleting.query('begin');
    await deleting.query('delete from push_subscription where member_id = $1', [member.id]);
    await deposit(member, 20);
    await deleting.query('commit');
    deleting.release();
    await push();
    expect((await list(member)).unread).toBe(1);
    expect(await arrived(member)).toEqual([]);
  });

  test('reaches every browser of the member, and no other', async () => {
    const [member, other] = [await listener(), await listener()];
    const second = await elsewhere(member);
    await subscribe(second, await browser(second));
    await deposit(member, 20);
    await push();
    expect(await arrived(member)).toHaveLength(2);
    expect(await arrived(other)).toEqual([]);
  });

  test('is left out where the member has switched its kind off, or has read it already', async () => {
    const [quiet, quick] = [await listener(), await listener()];
    expect((await preferences(quiet, { money: false })).body.kinds.money).toBe(false);
    await deposit(quiet, 20);
    await deposit(quick, 20);
    await read(quick, (await list(quick)).notifications[0].id);
    await push();
    expect([await arrived(quiet), await arrived(quick)]).toEqual([[], []]);
    expect((await list(quiet)).unread).toBe(1);
    expect((await preferences(quiet)).body.kinds.money).toBe(true);
  });

  test('names no amount where the member hides them', async () => {
    const member = await listener();
    await preferences(member, {}, true);
    const id = await deposit(member, 777);
    await push();
    expect(await arrived(member)).toEqual([
      {
        id: (await list(member)).notifications[0].id,
        title: 'Money has arrived',
        body: 'Tap to see the transaction.',
        url: `/user/statement?open=receipt&arg=${id}`,
        lang: 'en',
        at: expect.any(Number),
      },
    ]);
  });

  test('reaches a self-excluded member: it is about their own money', async () => {
    const member = await listener();
    const { id } = await bank.qr(member, 20);
    expect((await request(member, 'POST', '/api/limits/break', { length: '24h' })).status).toBe(200);
    await bank.notify(bank.notice(id, { amount: '20.00', payerAccountNumber: member.accountNo }));
    await push();
    expect(await arrived(member)).toHaveLength(1);
  });
});

describe('a push service', () => {
  test.each([404, 410])('that no longer has the browser (%i) ends the subscription', async (code) => {
    const member = await listener();
    await env.fault({ party: 'push', kind: 'refuse', code, member: member.phone, count: 1 });
    await deposit(member, 20);
    await push();
    expect((await state(member)).isOn).toBe(false);
    expect(await left(member)).toEqual([]);
  });

  test.each(['429', '500', 'outage', 'cut-before', 'cut-after'])(
    'in trouble (%s) is called again later',
    async (kind) => {
      const member = await listener();
      await env.fault({ party: 'push', kind, member: member.phone, count: 1 });
      await deposit(member, 20);
      await push();
      expect(await left(member)).toEqual([{ tries: 1 }]);
      const before = (await arrived(member)).length;
      expect(before).toBe(kind === 'cut-after' ? 1 : 0);
      await push();
      expect(await arrived(member)).toHaveLength(before);
      await pass(env, clock, MINUTE_MS);
      await push();
      // What was taken although its answer was lost has the same name, by which a browser shows it once.
      expect(new Set((await arrived(member)).map(({ id }) => id)).size).toBe(1);
      expect(await left(member)).toEqual([]);
    },
  );

  test('that refuses a message is not called again', async () => {
    const member = await listener();
    await env.fault({ party: 'push', kind: 'refuse', code: 413, member: member.phone });
    await deposit(member, 20);
    await push();
    expect(await left(member)).toEqual([]);
    expect((await state(member)).isOn).toBe(true);
  });

  test('that stays silent is given up in the end', async () => {
    const member = await listener();
    await env.fault({ party: 'push', kind: 'outage', member: member.phone });
    await deposit(member, 20);
    for (let time = 0; time < 7; time++) {
      await push();
      await pass(env, clock, 121 * MINUTE_MS);
    }
    expect(await left(member)).toEqual([]);
  });
});

describe('a subscription', () => {
  const dead = async (member: TestMember) => {
    await happen(member);
    await push();
    expect(await arrived(member)).toEqual([]);
    const { rows } = await env.owner.query('select 1 from push_subscription where member_id = $1', [
      member.id,
    ]);
    expect(rows).toEqual([]);
  };

  test('ends with the log-out', async () => {
    const member = await listener();
    await request(member, 'POST', '/api/logout');
    await dead(member);
  });

  test('ends on the member’s call; a repeat changes nothing', async () => {
    const member = await listener();
    for (let time = 0; time < 2; time++)
      expect((await request(member, 'DELETE', '/api/push/subscription')).status).toBe(200);
    await dead(member);
  });

  test('ends with its session, by any caller', async () => {
    const member = await listener();
    const other = await elsewhere(member);
    await request(other, 'DELETE', '/api/account/sessions');
    await dead(member);
  });

  test.each([
    ['time is over', 'expires_at = now()'],
    ['idle days are over', "last_seen_at = now() - interval '31 days'"],
  ])('brings nothing once the session’s %s, and is forgotten', async (_what, change) => {
    const member = await listener();
    await env.owner.query(`update session set ${change} where member_id = $1`, [member.id]);
    await happen(member);
    await push();
    expect(await arrived(member)).toEqual([]);
    await env.app.runJob('notifications.unsubscribe');
    await dead(member);
  });

  test('brings nothing to a suspended member, and ends with a closed account', async () => {
    const member = await listener();
    await env.owner.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);
    await happen(member);
    await push();
    expect(await arrived(member)).toEqual([]);
    await env.owner.query("update member set status = 'CLOSED' where id = $1", [member.id]);
    const { rows } = await env.owner.query('select 1 from push_subscription where member_id = $1', [
      member.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('is one a session: a new one takes the place of the old', async () => {
    const member = await listener();
    await subscribe(member, await browser(member));
    await deposit(member, 20);
    await push();
    expect(await arrived(member)).toHaveLength(1);
  });

  test('moves with its browser to the next member who logs in there, without pending notifications', async () => {
    const [before, after] = [await listener(), await env.member()];
    await deposit(before, 20);
    expect((await subscribe(after, before.browser)).status).toBe(200);
    await push();
    expect(await arrived(before)).toEqual([]);
    expect([(await state(before)).isOn, (await state(after)).isOn]).toEqual([false, true]);
  });

  test('is one of ten at the most', async () => {
    const member = await listener();
    for (let time = 0; time < 11; time++) {
      const other = await elsewhere(member);
      await subscribe(other, await browser(other));
    }
    await deposit(member, 20);
    await push();
    expect(await arrived(member)).toHaveLength(10);
    expect((await state(member)).isOn).toBe(false);
  });

  test('requested by forty concurrent calls is one', async () => {
    const member = await env.member();
    const one = await browser(member);
    const responses = await Promise.all(Array.from({ length: 40 }, () => subscribe(member, one)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await deposit(member, 20);
    await push();
    expect(await arrived(member)).toHaveLength(1);
  });

  test.each([
    'http://127.0.0.1/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/x',
    'https://10.0.0.1/x',
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evilfcm.googleapis.com/x',
    'https://push.apple.com.evil.example/x',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user@fcm.googleapis.com/x',
    'https://fcm.googleapis.com@evil.example/x',
    'ftp://fcm.googleapis.com/x',
    'nothing',
    '',
  ])('of a strange address is refused: %s', async (endpoint) => {
    const member = await env.member();
    const { keys } = await browser(member);
    const response = await subscribe(member, { id: '', endpoint, keys });
    expect(response).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
    expect((await state(member)).isOn).toBe(false);
  });

  test('below the sandbox’s address goes nowhere else in it', async () => {
    const member = await env.member();
    const one = await browser(member);
    const endpoint = one.endpoint.replace(one.id, '../../control/reset');
    expect((await subscribe(member, { ...one, endpoint })).status).toBe(400);
  });

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://sg2p.notify.windows.com/w/?token=abc',
  ])('of a known service is taken: %s', async (endpoint) => {
    const member = await env.member();
    const { keys } = await browser(member);
    expect((await subscribe(member, { id: '', endpoint, keys })).status).toBe(200);
  });

  test('with keys that are none is refused', async () => {
    const member = await env.member();
    const one = await browser(member);
    const p256dh = Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url');
    const response = await subscribe(member, { ...one, keys: { ...one.keys, p256dh } });
    expect(response).toMatchObject({ status: 400, body: { message: 'INVALID_REQUEST' } });
  });

  test('rejects a caller without a session', async () => {
    for (const [method, body] of [['POST', await browser(await env.member())], ['DELETE']] as const) {
      const response = await env.call(method, '/api/push/subscription', body && { ...body, language: 'th' });
      expect(response.body.message).toBe('invalid-token');
    }
  });

  test('keeps its address and our private key unreadable in the database', async () => {
    const member = await listener();
    const { rows } = await env.owner.query(
      "select string_agg(t::text, '') as text from (select s::text as t from push_subscription s union all select k::text from push_key k) t",
    );
    expect(rows[0].text).not.toContain(member.browser.id);
    expect(rows[0].text).not.toContain(Buffer.from(member.browser.endpoint).toString('hex'));
    expect(rows[0].text).not.toContain(Buffer.from('"d":"').toString('hex'));
  });
});
