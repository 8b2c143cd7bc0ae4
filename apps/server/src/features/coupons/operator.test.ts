import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { NUMBER_SEARCHES_HOUR_MAX } from '../../platform/http/number-searches.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { wheelHelpers, wheelNotices } from '../wheel/testing-wheel.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { coupons, redeem, coinsOf } = wheelHelpers(env);
const [mali, lead, som, auditor] = (await Promise.all(
  ['marketing', 'finance-lead', 'finance', 'auditor'].map((role) => operators.operator(role)),
)) as [TestOperator, TestOperator, TestOperator, TestOperator];

const reason = 'as agreed';
const name = { th: 'ห้าสิบบาท', la: 'ຫ້າສິບບາດ', en: 'Fifty baht' };
const cash = { kind: 'CASH', name, value: 50, terms: null, couponDays: 7 };
let keys = 0;

const post = (as: TestOperator, path: string, body: object) =>
  operators.call(as, 'POST', `/api/operator/${path}`, body);
const grant = async (members: string[], change: object = {}) => {
  const intent = {
    prize: { currency: 'BAHT', prize: cash },
    members,
    check: false,
    reason,
    key: `grant-${++keys}-key`,
  };
  return (await post(mali, 'coupons', { ...intent, ...change })).body;
};
const list = async (query: string) =>
  (await operators.call(mali, 'GET', `/api/operator/coupons?${query}`)).body;

describe('coupons from operators', () => {
  test('go to phones and ids of a list, each row with its result, one a member', async () => {
    const [one, two, closed] = [await env.member(), await env.member(), await env.member()];
    await env.owner.query("update member set status = 'CLOSED' where id = $1", [closed.id]);
    const members = [
      one.phone,
      String(two.id),
      ` ${one.phone.slice(0, 3)}-${one.phone.slice(3)}`,
      '0999999999',
      closed.phone,
    ];
    const results = ['OK', 'OK', 'TWICE', 'UNKNOWN', 'CLOSED'];
    const tried = await grant(members, { check: true });
    expect(tried).toMatchObject({ state: 'CHECKED', batch: null, granted: 2 });
    expect(await coupons(one)).toEqual([]);
    const done = await grant(members);
    expect(done.rows.map((row: { result: string }) => row.result)).toEqual(results);
    expect(done).toMatchObject({ state: 'DONE', approval: null, granted: 2 });
    expect(await coupons(two)).toMatchObject([
      { kind: 'CASH', value: 50, amount: 1, prize: { slice: null } },
    ]);
    expect(await list(`batch=${done.batch}`)).toMatchObject({
      total: 2,
      sums: [{ currency: 'BAHT', amount: 100 }],
      coupons: [{ state: 'OPEN', by: mali.name, value: 50 }, {}],
    });
    expect((await redeem(two, (await coupons(two))[0]._id)).body.success).toBe(true);
    expect(await env.balance(two)).toBe(5_000n);
    expect((await list(`batch=${done.batch}&state=CLAIMED`)).total).toBe(1);
    const ofMember = async (text: string) => (await list(`member=${text}`)).total;
    expect([await ofMember(two.phone), await ofMember(String(two.id)), await ofMember('x')]).toEqual([
      1, 1, 0,
    ]);
    expect(await operators.audit(`coupons:${done.batch}`)).toMatchObject([
      { action: 'coupon.grant', after: { coupons: 2, value: '5000' } },
    ]);
  });

  test('go to no member by a text that is one member’s id and another’s phone', async () => {
    const [meant, other] = [await env.member(), await env.member()];
    await env.owner.query('update member set phone = $2 where id = $1', [other.id, String(meant.id)]);
    const requested = await grant([String(meant.id), meant.phone]);
    expect(requested.rows.map((row: { result: string }) => row.result)).toEqual(['UNKNOWN', 'OK']);
    expect([await coupons(other), (await coupons(meant)).length]).toEqual([[], 1]);
  });

  test('by a list do not uncover numbers: what finds no member counts as a search, and a check leaves an audit row', async () => {
    const [maker, member] = [await operators.operator('marketing'), await env.member()];
    const check = (as: TestOperator, members: string[], key: string) =>
      post(as, 'coupons', { prize: { currency: 'BAHT', prize: cash }, members, check: true, reason, key });
    const guesses = Array.from(
      { length: NUMBER_SEARCHES_HOUR_MAX },
      (_, n) => `0810${String(n).padStart(6, '0')}`,
    );
    expect((await check(maker, [member.phone, ...guesses.slice(1)], 'a-first-list')).status).toBe(200);
    expect(await operators.audit('coupons:a-first-list')).toMatchObject([
      { action: 'coupon.check', after: { given: guesses.length, members: [String(member.id)] } },
    ]);
    expect((await check(maker, [member.phone], 'a-member-is-no-guess')).status).toBe(200);
    expect((await check(maker, guesses.slice(0, 2), 'too-many')).body.message).toBe('REQUEST_LIMIT');
    expect((await check(maker, guesses.slice(0, 1), 'refused-ones-count')).status).toBe(429);
    const filter = async (text: string) =>
      (await operators.call(maker, 'GET', `/api/operator/coupons?member=${text}`)).status;
    expect([await filter('x'), await filter(guesses[0]!)]).toEqual([200, 429]);
    expect(await operators.audit('coupons:too-many')).toEqual([]);
    const revealing = await operators.operator('risk');
    await env.owner.query(
      "update operator_role set permissions = permissions || '{promotion.manage}'::text[] where code = 'risk'",
    );
    expect((await check(revealing, guesses, 'who-may-uncover')).status).toBe(200);
    expect((await check(revealing, guesses, 'who-may-uncover')).status).toBe(200);
  });

  test('by their file do not uncover numbers: the member’s number counts as a search', async () => {
    await env.owner.query(
      `update operator_role set permissions = permissions || '{export.read}'::text[] where code = 'marketing'`,
    );
    const exporter = await operators.operator('marketing');
    const file = async (query: string) =>
      (await operators.call(exporter, 'GET', `/api/operator/export/coupons.csv?${query}`)).status;
    const { limits, clock } = env.app.deps;
    const window = { key: `number-search:${exporter.id}`, ms: 3_600_000 };
    await limits.count(window, clock.now(), NUMBER_SEARCHES_HOUR_MAX - 1);
    const { phone } = await env.member();
    expect([await file(`member=${phone}`), await file(`member=${phone}`)]).toEqual([200, 429]);
    expect([await file('member=x'), await file('state=OPEN')]).toEqual([200, 200]);
  });

  test('are given once under a key for any number of concurrent calls', async () => {
    const member = await env.member();
    const key = 'the-same-grant';
    const responses = await Promise.all(Array.from({ length: 10 }, () => grant([member.phone], { key })));
    expect(responses.some(({ state }) => state === 'DONE')).toBe(true);
    expect((await grant([member.phone], { key })).state).toBe('DONE');
    expect((await grant([(await env.member()).phone], { key })).message).toBe('IDEMPOTENCY_CONFLICT');
    expect((await coupons(member))[0].amount).toBe(1);
  });

  test('worth more than one person may give wait for a second', async () => {
    const member = await env.member();
    const prize = { currency: 'BAHT', prize: { ...cash, value: 1_000.01 } };
    const requested = await grant([member.phone], { prize });
    expect(requested).toMatchObject({ state: 'PENDING', granted: 0, batch: null });
    expect(await coupons(member)).toEqual([]);
    expect((await post(mali, `approvals/${requested.approval}/approve`, {})).status).toBe(403);
    expect((await post(lead, `approvals/${requested.approval}/approve`, {})).body.state).toBe('DONE');
    expect((await coupons(member))[0].value).toBe(1_000.01);
    const coins = { ...cash, kind: 'COIN', value: 101 };
    expect((await grant([member.phone], { prize: { currency: 'BAHT', prize: coins } })).state).toBe(
      'PENDING',
    );
  });

  test('a payload that the request hides: the checker sees the terms that decide the worth, and who receives', async () => {
    const members = await Promise.all([env.member(), env.member()]);
    const terms = {
      successPercent: 101,
      failPercent: 99,
      turnoverTimes: 0,
      games: null,
      withdrawMost: null,
      days: 30,
    };
    const prize = { currency: 'BAHT', prize: { ...cash, kind: 'BONUS', value: 900, terms } };
    const { approval } = await grant(
      members.map(({ phone }) => phone),
      { prize },
    );
    const { approvals } = (await operators.call(lead, 'GET', '/api/operator/approvals')).body;
    const { summary } = approvals.find(({ id }: { id: string }) => id === approval);
    expect(summary).toMatchObject({
      kind: 'BONUS',
      value: 900,
      successPercent: '101 %',
      failPercent: '99 %',
    });
    expect(summary.member.map((text: string) => text.split(' ')[0])).toEqual(
      members.map(({ id }) => String(id)),
    );
  });

  test('cut into small batches wait for a second all the same', async () => {
    await env.owner.query(
      "update operator_role set permissions = permissions || '{entry.make}'::text[] where code = 'marketing'",
    );
    const [maker, member] = [await operators.operator('marketing'), await env.member()];
    const others = await Promise.all(Array.from({ length: 4 }, () => env.member()));
    const give = async (to: TestMember, value: number, change: object = {}) => {
      const prize = { currency: 'BAHT', prize: { ...cash, value, ...change } };
      const intent = { prize, members: [to.phone], check: false, reason, key: `cut-${++keys}-key` };
      return (await post(maker, 'coupons', intent)).body.state;
    };
    expect(await Promise.all(others.map((one) => give(one, 250)))).toEqual(Array(4).fill('DONE'));
    expect(await give(member, 0.01)).toBe('PENDING');
    const coins = { kind: 'COIN' };
    expect([await give(member, 60, coins), await give(member, 41, coins)]).toEqual(['DONE', 'PENDING']);
    const path = `members/${member.id}/coins`;
    const requested = await post(maker, path, { coins: 41, reason, key: 'coins-beside-coupons' });
    expect(requested.body.state).toBe('PENDING');
  });

  test('taken back cannot be redeemed; what was redeemed stays', async () => {
    const [one, two] = [await env.member(), await env.member()];
    const { batch } = await grant([one.phone, two.phone]);
    const [{ _id }] = await coupons(one);
    await redeem(one, _id);
    const back = (await post(mali, 'coupon-revocations', { coupons: { batch }, reason })).body;
    expect([back.revoked.length, back.left.length]).toEqual([1, 1]);
    expect(await coupons(two)).toEqual([]);
    const his = `CP${_id.split(/[P-]/)[1]}-${two.id}`;
    expect((await redeem(two, his)).body.error).toBe('NO_CLAIMABLE_COUPON');
    expect(await env.balance(one)).toBe(5_000n);
    const ids = { coupons: { ids: [...back.revoked, ...back.left] }, reason };
    expect((await post(mali, 'coupon-revocations', ids)).body.revoked).toEqual([]);
  });

  test('given and taken back notify the open screens of their members', async () => {
    const member = await env.member();
    const notices = await wheelNotices(env, member);
    const { batch } = await grant([member.phone]);
    await until(async () => notices() === 1);
    await post(mali, 'coupon-revocations', { coupons: { batch }, reason });
    await until(async () => notices() === 2);
  });

  test('redeemed and taken back at once end one way', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await env.member();
      const { batch } = await grant([member.phone]);
      const [{ _id }] = await coupons(member);
      const intent = { coupons: { batch }, reason };
      const [done, back] = await Promise.all([redeem(member, _id), post(mali, 'coupon-revocations', intent)]);
      expect(done.body.success ? 1 : 0).toBe(back.body.left.length);
      expect(await env.balance(member)).toBe(done.body.success ? 5_000n : 0n);
    }
  });

  test('of a withdrawn prize cannot be redeemed until it is back', async () => {
    const member = await env.member();
    const { batch } = await grant([member.phone], {
      prize: { currency: 'BAHT', prize: { ...cash, couponDays: 3 } },
    });
    const [{ prize }] = (await list(`batch=${batch}`)).coupons;
    const set = (isWithdrawn: boolean) =>
      operators.call(mali, 'PUT', `/api/operator/prizes/${prize.id}`, { isWithdrawn, reason });
    const code = (await coupons(member))[0]._id;
    expect((await set(true)).body.state).toBe('WITHDRAWN');
    expect((await set(true)).body.message).toBe('ROW_CHANGED');
    expect(await coupons(member)).toEqual([]);
    expect((await redeem(member, code)).body.error).toBe('INVALID_COUPON_TYPE');
    expect((await grant([member.phone], { prize: { id: prize.id } })).message).toBe('INVALID_REQUEST');
    await set(false);
    expect((await redeem(member, code)).body.success).toBe(true);
    const { prizes } = (await operators.call(auditor, 'GET', '/api/operator/prizes')).body;
    expect(prizes.find((row: { id: string }) => row.id === prize.id)).toMatchObject({
      given: 1,
      open: 0,
      redeemed: 1,
    });
  });

  test('worth more than one operator may give are redeemable again only with a second person', async () => {
    const member = await env.member();
    const large = { currency: 'BAHT', prize: { ...cash, value: 1_500 } };
    const approve = (id: string) => post(lead, `approvals/${id}/approve`, {});
    const { approval } = await grant([member.phone], { prize: large });
    expect((await approve(approval)).status).toBe(200);
    const [coupon] = await coupons(member);
    const [{ prize }] = (await list(`member=${member.id}`)).coupons;
    const set = (isWithdrawn: boolean) =>
      operators.call(mali, 'PUT', `/api/operator/prizes/${prize.id}`, { isWithdrawn, reason });
    expect((await set(true)).body).toMatchObject({ state: 'WITHDRAWN', approval: null });
    const asked = (await set(false)).body;
    expect(asked).toMatchObject({ state: 'WITHDRAWN', approval: expect.any(String) });
    expect((await set(false)).body.message).toBe('APPROVAL_PENDING');
    expect((await redeem(member, coupon._id)).body.error).toBe('INVALID_COUPON_TYPE');
    const decided = await Promise.all(Array.from({ length: 5 }, () => approve(asked.approval)));
    expect(decided.filter(({ status }) => status === 200).map(({ body }) => body.state)).toEqual(['OPEN']);
    expect((await redeem(member, coupon._id)).body.success).toBe(true);
    expect(await operators.audit(`prize:${prize.id}`)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ action: 'prize.restore', after: { maker: mali.name } }),
      ]),
    );
  });

  test('a limit counted by call: prizes restored one by one add up as coupons that are given', async () => {
    const member = await env.member();
    const restorer = await operators.operator('marketing');
    const ids: string[] = [];
    for (const value of [600, 601]) {
      const maker = await operators.operator('marketing');
      const intent = { prize: { currency: 'BAHT', prize: { ...cash, value } }, members: [member.phone] };
      const key = `restored-${value}-key`;
      expect((await post(maker, 'coupons', { ...intent, check: false, reason, key })).body.state).toBe(
        'DONE',
      );
      const { coupons: given } = await list(`member=${member.id}`);
      ids.push(given.find((row: { value: number }) => row.value === value).prize.id);
    }
    const set = async (id: string, isWithdrawn: boolean) =>
      (await operators.call(restorer, 'PUT', `/api/operator/prizes/${id}`, { isWithdrawn, reason })).body;
    for (const id of ids) expect((await set(id, true)).state).toBe('WITHDRAWN');
    expect(await set(ids[0]!, false)).toEqual({ state: 'OPEN', approval: null });
    expect(await set(ids[1]!, false)).toEqual({ state: 'WITHDRAWN', approval: expect.any(String) });
  });

  test('approved after a change: of a prize that was withdrawn meanwhile are not given', async () => {
    const [first, second] = [await env.member(), await env.member()];
    const large = { currency: 'BAHT', prize: { ...cash, value: 1_700 } };
    const requested = await grant([first.phone], { prize: large });
    expect((await post(lead, `approvals/${requested.approval}/approve`, {})).status).toBe(200);
    const [{ prize }] = (await list(`member=${first.id}`)).coupons;
    const waiting = await grant([second.phone], { prize: { id: prize.id } });
    expect(waiting.state).toBe('PENDING');
    await operators.call(mali, 'PUT', `/api/operator/prizes/${prize.id}`, { isWithdrawn: true, reason });
    expect(await post(lead, `approvals/${waiting.approval}/approve`, {})).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED', data: { state: 'WITHDRAWN' } },
    });
    expect((await list(`member=${second.id}`)).coupons).toEqual([]);
  });

  test('for items wait to be delivered, once', async () => {
    const member = await env.member();
    const item = { ...cash, kind: 'ITEM', value: 0 };
    const { batch } = await grant([member.phone], { prize: { currency: 'BAHT', prize: item } });
    const [{ id }] = (await list(`batch=${batch}`)).coupons;
    const deliver = () => post(mali, `coupons/${id}/deliver`, { reason });
    expect((await deliver()).body).toEqual({ message: 'ROW_CHANGED', data: { state: 'OPEN' } });
    await redeem(member, (await coupons(member))[0]._id);
    expect((await list('state=TO_DELIVER')).coupons).toMatchObject([{ id }]);
    const responses = await Promise.all([deliver(), deliver(), deliver()]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await list('state=DELIVERED')).total).toBe(1);
  });
});

describe('coins from operators', () => {
  const give = (as: TestOperator, member: TestMember, coins: number, key = `coins-${++keys}-key`) =>
    post(as, `members/${member.id}/coins`, { coins, reason, key });

  test('are given once under a key, and many by two', async () => {
    const member = await env.member();
    await Promise.all(Array.from({ length: 10 }, () => give(som, member, 7, 'seven-coins')));
    expect(await coinsOf(member)).toBe(7);
    expect((await give(som, member, 8, 'seven-coins')).body.message).toBe('IDEMPOTENCY_CONFLICT');
    expect((await give(auditor, member, 7)).status).toBe(403);
    const { body } = await give(som, member, 101);
    expect(body).toEqual({ state: 'PENDING', approval: expect.any(String) });
    const both = await Promise.all([1, 2].map(() => post(lead, `approvals/${body.approval}/approve`, {})));
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await coinsOf(member)).toBe(108);
    const actions = (await operators.audit(`member:${member.id}`)).filter(
      ({ action }) => action === 'coins.grant',
    );
    expect(actions.map((row) => (row.after as { coins: number }).coins)).toEqual([7, 101]);
  });
});

test('the books agree', async () => {
  expect(await verifyLedger(env.owner)).toEqual([]);
});
