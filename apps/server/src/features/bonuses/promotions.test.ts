import { HOUR_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pass, pushedClock } from '../testing.ts';
import { bonusHelpers } from './testing-bonuses.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const { offer, deposit, list, activate, find, receive, active, clear, forfeit, statement } =
  bonusHelpers(env);
const { open, transfer } = gameHelpers(env);

/** A promotion of 50.00 without a deposit, won at double. */
const FIXED = { kind: 'promotion', award: 'fixed', award_amount: 5_000n, deposit_min: null, max_received: 1 };
/** The same as plain money. */
const PLAIN = { ...FIXED, success_percent: 0 };
const promote = (change: Record<string, unknown> = {}) => offer({ ...FIXED, ...change });
const messages = (responses: { status: number; body: { message?: string } }[]) =>
  responses.map(({ status, body }) => (status === 200 ? 'done' : body.message)).toSorted();
const current = async (member: Parameters<typeof active>[0]) =>
  (await env.call('GET', '/api/promotion/current', undefined, { token: member.token })).body;

describe('finding a promotion', () => {
  test('takes the code in any letters and answers its terms in the reader’s language, cleaned', async () => {
    const member = await env.member();
    const texts = (th: string, en: string) => JSON.stringify({ th, la: '', en });
    const code = await promote({
      title: texts('ของขวัญ', 'A gift'),
      description: texts('<b>ไทย</b><script>1</script>', '<b>English</b><img src=x onerror=1>'),
      ends_at: new Date(clock.now().getTime() + HOUR_MS),
    });
    const { status, body } = await find(member, code.toLowerCase());
    expect(status).toBe(200);
    expect(body).toMatchObject({ code, title: 'ของขวัญ', description: '<b>ไทย</b>', percentFail: 10 });
    expect(body).toMatchObject({
      terms: { award: { fixed: 50, percent: null }, deposit: null, turnoverTimes: 0, games: null, days: 30 },
      now: { deposit: 0, amount: 50, target: 100, floor: 5 },
    });
    const { token } = member;
    const address = `/api/promotion/find/${code}`;
    const english = await env.call('GET', address, undefined, {
      token,
      headers: { 'accept-language': 'en' },
    });
    expect(english.body).toMatchObject({ title: 'A gift', description: '<b>English</b>' });
    expect((await list(member)).body.map((one: { code: string }) => one.code)).not.toContain(code);
    expect((await activate(member, code)).body.message).toBe('NO_DATA');
  });

  test('returns its amount for the latest qualifying deposit, and none without one', async () => {
    const member = await env.member();
    const code = await offer({ kind: 'promotion', max_received: 1, award_max: 5_000n, deposit_max: 40_000n });
    expect((await find(member, code)).body.now).toBeNull();
    await deposit(member, 100);
    await deposit(member, 500);
    expect((await find(member, code)).body.now).toEqual({
      deposit: 100,
      amount: 50,
      target: 300,
      floor: 15,
      turnoverNeeded: 0,
    });
    expect((await receive(member, code)).body).toMatchObject({ base: 150, deposit: 100, target: 300 });
  });

  test.each([
    ['unknown', {}, 'NEVER1'],
    ['stopped', { is_open: false }, null],
    ['not begun', { starts_at: new Date(8e15) }, null],
    ['over', { ends_at: new Date(1) }, null],
    ['in another currency', { currency: 'LAK' }, null],
    ['a bonus, not a promotion', { kind: 'bonus' }, null],
  ])('answers NO_PROMOTION for one that is %s', async (_what, change, code) => {
    const member = await env.member();
    const requested = code ?? (await promote(change));
    expect((await find(member, requested)).body.message).toBe('NO_PROMOTION');
    expect((await receive(member, requested)).body.message).toBe('NO_PROMOTION');
  });

  test('promise refused: one that is full or was received is not offered for a deposit', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const code = await promote({ ...PLAIN, quota: 1, deposit_min: 1_000n });
    await deposit(member, 100);
    expect((await receive(member, code)).status).toBe(200);
    expect((await find(member, code)).body.message).toBe('PROMOTION_RECEIVED');
    expect((await find(other, code)).body.message).toBe('BONUS_FULL');
  });

  test('promise refused: a full bonus is listed only to the member who plays it', async () => {
    const [member, other] = [await env.member(), await env.member()];
    const terms = { award: 'fixed', award_amount: 5_000n, deposit_min: null };
    const code = await offer({ ...terms, quota: 1 });
    const isListed = async (of: TestMember) =>
      (await list(of)).body.some((one: { code: string }) => one.code === code);
    expect(await isListed(other)).toBe(true);
    await activate(member, code);
    expect([await isListed(member), await isListed(other)]).toEqual([true, false]);
    await forfeit(member);
    expect(await isListed(member)).toBe(false);
  });

  test('stops guesses after ten in a quarter of an hour, however they are sent; codes that are known cost none', async () => {
    const [member, code] = [await env.member(), await promote()];
    for (let time = 0; time < 12; time++) expect((await find(member, code)).status).toBe(200);
    const guesses = Array.from({ length: 15 }, (_, i) => (i % 2 ? find : receive)(member, `GUESS${i}`));
    const codes = messages(await Promise.all(guesses));
    expect(codes.filter((code) => code === 'REQUEST_LIMIT')).toHaveLength(5);
    expect((await find(member, code)).body.message).toBe('REQUEST_LIMIT');
    await pass(env, clock, HOUR_MS / 4);
    expect((await find(member, code)).status).toBe(200);
  });

  test('needs a member without self-exclusion', async () => {
    const code = await promote();
    for (const address of [`find/${code}`, `activate/${code}`, 'current'])
      expect((await env.call('GET', `/api/promotion/${address}`)).body.message).toBe('invalid-token');
    const member = await env.member();
    const { token } = member;
    await env.call('POST', '/api/limits/break', { length: '24h' }, { token });
    expect((await find(member, code)).body.message).toBe('SELF_EXCLUDED');
    expect((await receive(member, code)).body.message).toBe('SELF_EXCLUDED');
  });
});

describe('receiving a promotion', () => {
  test('starts a run with its terms, once', async () => {
    const member = await env.member();
    const code = await promote();
    expect(await current(member)).toBeNull();
    const response = await receive(member, code.toLowerCase());
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body).toMatchObject({
      status: true,
      type: 'promotion',
      name: 'โบนัสทดสอบ',
      base: 50,
      target: 100,
      floor: 5,
      deposit: 0,
      withdrawMost: null,
      games: null,
      mayForfeit: true,
    });
    const { statementId, ...run } = response.body;
    expect(await current(member)).toEqual(run);
    expect(await active(member)).toEqual(run);
    expect((await statement(member))[0]).toMatchObject({
      id: statementId,
      statementType: 'bonus',
      from: 'promotion',
    });
    expect((await receive(member, code)).body.message).toBe('PROMOTION_RECEIVED');
    expect((await receive(member, await promote())).body.message).toBe('BONUS_ALREADY_ACTIVE');
    expect((await forfeit(member)).status).toBe(200);
    expect((await receive(member, code)).body.message).toBe('PROMOTION_RECEIVED');
    expect(await current(member)).toBeNull();
  });

  test('is called in the language its member reads now, wherever it was received', async () => {
    const member = await env.member();
    const headers = { 'accept-language': 'lo' };
    const { token } = member;
    const address = `/api/promotion/activate/${await promote()}`;
    const response = await env.call('POST', address, undefined, { token, headers });
    expect(response.body.name).toBe('ໂບນັດທົດສອບ');
    expect((await active(member)).name).toBe('โบนัสทดสอบ');
    expect((await statement(member))[0]).toMatchObject({ promotion: { description: 'โบนัสทดสอบ' } });
  });

  test('is refused while a game that it does not allow holds money, and without the deposit it requires', async () => {
    const member = await env.member({ amountMinor: 10_000n });
    const conditional = await offer({ kind: 'promotion', max_received: 1 });
    expect((await receive(member, conditional)).body).toMatchObject({
      message: 'BONUS_DEPOSIT_REQUIRED',
      data: { min: 10, max: null },
    });
    await open(member, 'betflix');
    await transfer(member, 'wallet', 'betflix', 50);
    const allowed = JSON.stringify({ areaslot: 100 });
    expect((await receive(member, await promote({ games: allowed }))).body.message).toBe('BONUS_REMAINING');
  });

  test('is plain money without conditions: no run, and it can be withdrawn', async () => {
    const member = await env.member();
    const code = await promote(PLAIN);
    expect((await receive(member, code)).body).toEqual({
      status: false,
      type: null,
      statementId: expect.stringMatching(/^BN/),
    });
    expect(await env.balance(member)).toBe(5_000n);
    expect((await clear(member)).body.message).toBe('NO_DATA');
  });

  test('forty times at once is received once', async () => {
    const [member, code] = [await env.member(), await promote(PLAIN)];
    const codes = messages(await Promise.all(Array.from({ length: 40 }, () => receive(member, code))));
    expect(codes.filter((one) => one === 'done')).toHaveLength(1);
    // A code is counted while it is looked up, so that many at once may have to come again.
    for (const one of codes) expect(['done', 'PROMOTION_RECEIVED', 'REQUEST_LIMIT']).toContain(one);
    expect((await receive(member, code)).body.message).toBe('PROMOTION_RECEIVED');
    expect(await env.balance(member)).toBe(5_000n);
  });

  test('received before receipts were counted has the rest of its quota left', async () => {
    const code = await promote({ quota: 3 });
    const next = async () => messages([await receive(await env.member(), code)])[0];
    expect([await next(), await next()]).toEqual(['done', 'done']);
    await env.owner.query(
      'delete from bonus_receipts where bonus_id = (select id from bonus where code = $1)',
      [code],
    );
    expect([await next(), await next()]).toEqual(['done', 'BONUS_FULL']);
  });

  test('with a quota of 5 is received by exactly 5 of 20 members at once', async () => {
    const code = await promote({ quota: 5 });
    const members = await Promise.all(Array.from({ length: 20 }, () => env.member()));
    const codes = messages(await Promise.all(members.map((member) => receive(member, code))));
    expect(codes).toEqual([...Array(15).fill('BONUS_FULL'), ...Array(5).fill('done')]);
    const balances = await Promise.all(members.map((member) => env.balance(member)));
    expect(balances.filter((balance) => balance === 5_000n)).toHaveLength(5);
  });
});

test('the ledger proves', async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});
