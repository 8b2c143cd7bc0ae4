import { describe, expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { contents } from '../testing.ts';
import { PROXY, peopleHelpers, person } from './testing-people.ts';

const env = await startTestEnv({ jobs: false, environment: PROXY });
await env.set('register.otp', false);
await env.set('register.addressHourMax', 100_000);
const { register, validate } = peopleHelpers(env);

const members = async (phone: unknown) =>
  (
    await env.pool.query(
      'select id, name, currency, inviter_id, unknown_invite_code from member where phone = $1',
      [phone],
    )
  ).rows;
const bankOf = async (id: unknown) =>
  (await env.pool.query('select bank_code, account_name from bank_account where member_id = $1', [id]))
    .rows[0];

describe('registration', () => {
  test('takes any password, unless the policy is on; then none that is guessed first', async () => {
    expect((await validate(person({ password: '1' }))).status).toBe(200);
    await env.set('password.strong', true);
    try {
      const { username } = person();
      const weak = ['1234567', 'password', 'Iloveyou', '1234567890', 'ๆๆๆๆๆๆๆๆ', 'กขคง', username];
      for (const password of [...weak, `${String(username).slice(0, 3)}-${String(username).slice(3)}`])
        for (const call of [validate, register])
          expect([password, (await call(person({ username, password }))).body.message]).toEqual([
            password,
            'WEAK_PASSWORD',
          ]);
      for (const password of ['correct horse', 'ส้มตำปูปลาร้า', 'x7!krapao-moo'])
        expect((await register(person({ password }))).status).toBe(200);
    } finally {
      await env.set('password.strong', false);
    }
  });

  test('makes a member who can log in, with an empty baht wallet', async () => {
    const who = person();
    const done = await register(who);
    expect(done).toMatchObject({ status: 200, body: { username: who.username } });
    const login = await env.call('POST', '/api/login', { username: who.username, password: who.password });
    const wallet = await env.call('GET', '/api/wallet', undefined, { token: login.body.token });
    expect(wallet.body).toMatchObject({
      profile: { _id: done.body._id, username: who.username, name: 'สมชาย ใจดี', coin: 0 },
      bankAccount: { bankCode: 'KBANK', bankAccountNo: who.bankAccountNo },
      wallet: { amount: 0, currency: 'BAHT' },
    });
  });

  test('keeps password and account number unreadable', async () => {
    const who = person();
    const { body } = await register(who);
    const { rows } = await env.owner.query(
      'select m.password_hash, encode(b.account_no_sealed, $2) as sealed from member m join bank_account b on b.member_id = m.id where m.id = $1',
      [body._id, 'escape'],
    );
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(rows[0].sealed).not.toContain(who.bankAccountNo);
  });

  test('stores the account name upper-cased with single spaces, and the number as digits', async () => {
    const who = person({
      bankCode: 'KTB',
      bankAccountName: '  somchai \t  jaidee ',
      bankAccountNo: '989-8-98765-1',
    });
    const { body } = await register(who);
    expect(await bankOf(body._id)).toEqual({ bank_code: 'KTB', account_name: 'SOMCHAI JAIDEE' });
    const login = await env.call('POST', '/api/login', { username: who.username, password: who.password });
    const profile = await env.call('GET', '/api/account/profile', undefined, { token: login.body.token });
    expect(profile.body.bankAccount.bankAccountNo).toBe('9898987651');
  });

  test('records the age that was confirmed with its time, and nothing where none was sent', async () => {
    const ageOf = async (age?: number) => {
      const { body } = await register(person(age === undefined ? {} : { age }));
      const { rows } = await env.owner.query(
        'select age_confirmed as age, age_confirmed_at = created_at as at_once from member where id = $1',
        [body._id],
      );
      return rows[0];
    };
    expect((await env.call('GET', '/api/lookup/info')).body.registerAge).toBe(20);
    expect(await ageOf(20)).toEqual({ age: 20, at_once: true });
    expect(await ageOf(21)).toEqual({ age: 21, at_once: true });
    expect(await ageOf()).toEqual({ age: null, at_once: null });
  });

  test('keeps of a name no character that shows nothing or turns the direction of a text', async () => {
    const typed = 'สม\u202eชาย\u00ad \u2067ใจดี\ufe0f\u3164';
    const who = person({ name: typed, bankAccountName: typed });
    await register(who);
    const { rows } = await env.owner.query(
      'select m.name, a.account_name from member m join bank_account a on a.member_id = m.id where m.phone = $1',
      [who.username],
    );
    expect(rows).toEqual([{ name: 'สมชาย ใจดี', account_name: 'สมชาย ใจดี' }]);
  });

  test('keeps a password exactly as typed', async () => {
    const password = '  ช่องว่าง และ emoji 🏮 \\u0000 ';
    const who = person({ password });
    await register(who);
    expect((await env.call('POST', '/api/login', { username: who.username, password })).status).toBe(200);
    expect(
      (await env.call('POST', '/api/login', { username: who.username, password: password.trim() })).status,
    ).toBe(401);
  });
});

describe('every refusal, in validate and in register, writes nothing:', () => {
  test.each([
    [{ username: '12345' }, 'PHONE_NUMBER_REQUIRE_10_DIGIT'],
    [{ username: '' }, 'PHONE_NUMBER_REQUIRE_10_DIGIT'],
    [{ username: '+856812345678' }, 'PHONE_NUMBER_REQUIRE_10_DIGIT'],
    [{ username: '081 234 567' }, 'PHONE_NUMBER_REQUIRE_10_DIGIT'],
    [{ name: '   ' }, 'INVALID_USER_INFO'],
    [{ age: 19 }, 'INVALID_USER_INFO'],
    [{ name: '<b>me</b>' }, 'INVALID_USER_INFO'],
    [{ name: 'a\u0007b' }, 'INVALID_USER_INFO'],
    [{ name: '\u200b' }, 'INVALID_USER_INFO'],
    [{ name: '\u202e\u2066\u3164' }, 'INVALID_USER_INFO'],
    [{ sourceCode: 'nowhere' }, 'INVALID_USER_INFO'],
    [{ sourceCode: '__proto__' }, 'INVALID_USER_INFO'],
    [{ currency: 'LAK' }, 'INVALID_USER_INFO'],
    [{ bankCode: 'NOBANK' }, 'INVALID_BANK'],
    [{ bankCode: 'BCEL' }, 'INVALID_BANK'],
    [{ bankCode: 'TBANK' }, 'INVALID_BANK'],
    [{ bankCode: 'CITI' }, 'INVALID_BANK'],
    [{ bankAccountNo: '123' }, 'INVALID_BANK'],
    [{ bankAccountNo: '12345678901' }, 'INVALID_BANK'],
    [{ bankAccountNo: '12345x7890' }, 'INVALID_BANK'],
    [{ bankCode: 'KTB' }, 'BANK_ACCOUNT_NAME_ENG'],
    [{ bankCode: 'TMB' }, 'BANK_ACCOUNT_NAME_ENG'],
    [{ bankCode: 'BBL', bankAccountName: 'Somchai J4idee' }, 'BANK_ACCOUNT_NAME_ENG'],
    [{ bankCode: 'KTB', bankAccountName: 'Somchai-Jaidee' }, 'BANK_ACCOUNT_NAME_ENG'],
  ])('%j is %s', async (change, code) => {
    const before = await contents(env.owner);
    const who = person(change);
    for (const response of [await validate(who), await register(who)])
      expect(response).toMatchObject({ status: 400, body: { message: code } });
    expect(await contents(env.owner)).toEqual(before);
  });

  test('a taken phone is EXISTING_USER, a taken account or one of ours EXISTING_BANK, however it is written', async () => {
    const first = person();
    await register(first);
    const before = await contents(env.owner);
    const again = [
      [person({ username: first.username }), 'EXISTING_USER'],
      [person({ bankCode: 'SCB', bankAccountNo: '222-3-33444-5' }), 'EXISTING_BANK'],
      [person({ bankAccountNo: first.bankAccountNo }), 'EXISTING_BANK'],
      [
        person({ bankAccountNo: String(first.bankAccountNo).replace(/(...)(.)(.*)/, '$1-$2 $3') }),
        'EXISTING_BANK',
      ],
    ] as const;
    for (const [who, code] of again) {
      expect((await validate(who)).body).toMatchObject({ message: code });
      expect((await register(who)).body).toMatchObject({ message: code });
    }
    expect(await contents(env.owner)).toEqual(before);
    // The same digits at another bank are another account.
    expect((await register(person({ bankCode: 'SCB', bankAccountNo: first.bankAccountNo }))).status).toBe(
      200,
    );
  });

  test('while it is switched off it is REGISTER_FAIL', async () => {
    await env.set('register.open', false);
    expect(await register(person())).toMatchObject({ status: 400, body: { message: 'REGISTER_FAIL' } });
    await env.set('register.open', true);
  });

  test('an address that calls too often gets REQUEST_LIMIT, and others do not', async () => {
    await env.set('register.addressHourMax', 3);
    const request = (address: string) => validate(person(), address);
    for (let time = 0; time < 3; time++) expect((await request('192.0.2.200')).status).toBe(200);
    expect(await request('192.0.2.200')).toMatchObject({ status: 429, body: { message: 'REQUEST_LIMIT' } });
    expect((await request('192.0.2.201')).status).toBe(200);
    await env.set('register.addressHourMax', 100_000);
  });
});

describe('validate', () => {
  test('is before the bank step: absent and empty bank fields are fine, others are checked', async () => {
    const { bankCode, bankAccountName, bankAccountNo, ...withoutBank } = person();
    expect((await validate(withoutBank)).body).toEqual({ message: 'OK' });
    expect(
      (await validate({ ...withoutBank, bankCode: '', bankAccountName: '', bankAccountNo: '' })).body,
    ).toEqual({ message: 'OK' });
    for (const unknown of ['NOBANK', 'TBANK'])
      expect((await validate({ ...withoutBank, bankCode: unknown })).body).toEqual({
        message: 'INVALID_BANK',
      });
    expect((await validate({ ...withoutBank, bankCode, bankAccountName, bankAccountNo })).body).toEqual({
      message: 'OK',
    });
  });

  test('writes nothing when all is well', async () => {
    const before = await contents(env.owner);
    await validate(person());
    expect(await contents(env.owner)).toEqual(before);
  });
});

describe('forty at once', () => {
  const counts = async () =>
    (
      await env.owner.query(
        'select (select count(*)::int from member) as members, (select count(*)::int from bank_account) as banks, (select count(*)::int from ledger_account where member_id is not null) as accounts',
      )
    ).rows[0];

  test.each([
    ['phone', 'EXISTING_USER'],
    ['bank account', 'EXISTING_BANK'],
  ])('with one %s leave exactly one member, and the others get %s', async (shared, code) => {
    const before = await counts();
    const first = person();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () =>
        register(
          person(shared === 'phone' ? { username: first.username } : { bankAccountNo: first.bankAccountNo }),
        ),
      ),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(
      responses.filter((response) => response.status === 400 && response.body.message === code),
    ).toHaveLength(39);
    expect(await counts()).toEqual({
      members: before.members + 1,
      banks: before.banks + 1,
      accounts: before.accounts + 3,
    });
  });
});

describe('an inviter code', () => {
  const inviteAs = async (inviteCode: string) => {
    const who = person({ inviteCode });
    expect((await register(who)).status).toBe(200);
    return (await members(who.username))[0];
  };

  test('of a member is remembered', async () => {
    const { body } = await register(person());
    expect(await inviteAs(`PR${body._id}`)).toMatchObject({
      inviter_id: BigInt(body._id),
      unknown_invite_code: null,
    });
  });

  test.each(['PR999999999', 'PR', 'hello', "PR1' or 1=1", 'PR-1', '__proto__'])(
    'that is unknown (%s) blocks nothing, is dropped, and is shown to operators',
    async (code) => {
      expect(await inviteAs(code)).toMatchObject({ inviter_id: null, unknown_invite_code: code });
    },
  );

  test('of a closed member is unknown: they could receive nothing for it', async () => {
    const { body } = await register(person());
    await env.owner.query("update member set status = 'CLOSED' where id = $1", [body._id]);
    expect(await inviteAs(`PR${body._id}`)).toMatchObject({
      inviter_id: null,
      unknown_invite_code: `PR${body._id}`,
    });
  });

  test('of oneself does not count', async () => {
    const { rows } = await env.owner.query('select last_value + 1 as next from member_id_seq');
    expect(await inviteAs(`PR${rows[0].next}`)).toMatchObject({ id: BigInt(rows[0].next), inviter_id: null });
  });
});
