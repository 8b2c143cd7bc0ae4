import { DAY_MS, MINUTE_MS } from '@krapao/contract/durations';
import { describe, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { from, PROXY, peopleHelpers, person } from '../registration/testing-people.ts';
import { pass, pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: PROXY });
await env.set('register.otp', false);
await env.set('register.addressHourMax', 100_000);

const { codeOn } = peopleHelpers(env);

async function member(): Promise<{ id: string; phone: string; password: string }> {
  const who = person();
  const { body } = await env.call('POST', '/api/account', who);
  return { id: body._id, phone: who.username as string, password: who.password as string };
}
const login = (username: unknown, password: unknown, address = '192.0.2.1') =>
  env.call('POST', '/api/login', { username, password }, from(address));
const profile = (token: string) => env.call('GET', '/api/account/profile', undefined, { token });
const changePassword = (token: string, oldPassword: unknown, newPassword: unknown) =>
  env.call('PUT', '/api/account/changepwd', { oldPassword, newPassword }, { token });
const setStatus = (id: string, status: string) =>
  env.owner.query('update member set status = $2 where id = $1', [id, status]);

test('a changed password meets the policy while it is on; the former one and logins go on as they were', async () => {
  const me = await member();
  const { token } = (await login(me.phone, me.password)).body;
  await env.set('password.strong', true);
  try {
    for (const weak of ['short', 'Football', me.phone])
      expect((await changePassword(token, me.password, weak)).body).toEqual({ message: 'WEAK_PASSWORD' });
    expect((await changePassword(token, 'wrong', 'short')).body).toEqual({ message: 'WRONG_PASSWORD' });
    expect((await login(me.phone, me.password)).status).toBe(200);
    expect((await changePassword(token, me.password, 'three small boats')).status).toBe(200);
  } finally {
    await env.set('password.strong', false);
  }
  expect((await changePassword(token, 'three small boats', '1')).status).toBe(200);
});

describe('login', () => {
  test('returns a token that is not stored, and authorises the member’s calls', async () => {
    const me = await member();
    const response = await login(me.phone, me.password);
    expect(response).toMatchObject({ status: 200, body: { token: expect.stringMatching(/^[\w-]{43}$/) } });
    expect(Object.keys(response.body)).toEqual(['token']);
    const { rows } = await env.owner.query('select session::text as row from session where member_id = $1', [
      me.id,
    ]);
    expect(rows.map((row) => row.row).join()).not.toContain(response.body.token);
    expect((await profile(response.body.token)).body.profile._id).toBe(me.id);
  });

  test('responds the same for an unknown phone, a malformed one and a wrong password, at the same cost', async () => {
    const me = await member();
    const cost = async (username: string, password: string, address: string) => {
      const started = performance.now();
      expect(await login(username, password, address)).toMatchObject({
        status: 401,
        body: { message: 'WRONG_CREDENTIAL' },
      });
      return performance.now() - started;
    };
    const [known, unknown]: number[][] = [[], []];
    await cost('0899999999', 'x', '198.51.100.1');
    for (let time = 0; time < 5; time++) {
      known!.push(await cost(me.phone, 'wrong', `198.51.100.${time}`));
      unknown!.push(await cost(`089999999${time}`, 'wrong', `198.51.100.${time}`));
    }
    for (const odd of ['nobody', '__proto__', "' or 1=1--", ''])
      expect((await login(odd, 'wrong')).body).toEqual({ message: 'WRONG_CREDENTIAL' });
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[2]!;
    // Both hash once; an unknown phone answered without hashing would take a tenth of the time.
    expect(median(unknown!)).toBeGreaterThan(median(known!) / 3);
  });

  test('of a suspended member is INACTIVE_USER, of a closed one gone, and only with the right password', async () => {
    const me = await member();
    const { token } = (await login(me.phone, me.password)).body;
    await setStatus(me.id, 'SUSPENDED');
    expect(await login(me.phone, me.password)).toMatchObject({
      status: 403,
      body: { message: 'INACTIVE_USER' },
    });
    expect(await login(me.phone, 'wrong')).toMatchObject({
      status: 401,
      body: { message: 'WRONG_CREDENTIAL' },
    });
    expect(await profile(token)).toMatchObject({ status: 403, body: { message: 'INACTIVE_USER' } });
    await setStatus(me.id, 'CLOSED');
    expect(await login(me.phone, me.password)).toMatchObject({ status: 410, body: { message: 'gone' } });
    expect(await profile(token)).toMatchObject({ status: 410, body: { message: 'gone' } });
    await setStatus(me.id, 'ACTIVE');
    expect((await profile(token)).status).toBe(200);
  });

  test('is gone for all when the service has ended, and lookups still report it', async () => {
    const me = await member();
    await env.set('service.terminated', 'gone');
    expect(await login(me.phone, me.password)).toMatchObject({ status: 410, body: { message: 'gone' } });
    expect((await env.call('GET', '/api/lookup/active')).body).toEqual({
      active: false,
      terminated: 'gone',
    });
    await env.set('service.terminated', false);
    expect((await login(me.phone, me.password)).status).toBe(200);
  });
});

describe('guessing', () => {
  test('ends after ten failures from an address, for a quarter of an hour, right password or not', async () => {
    const me = await member();
    for (let time = 0; time < 10; time++)
      expect((await login(me.phone, 'wrong', '203.0.113.1')).status).toBe(401);
    expect(await login(me.phone, me.password, '203.0.113.1')).toMatchObject({
      status: 429,
      body: { message: 'REQUEST_LIMIT', data: { minutes: 15 } },
    });
    await pass(env, clock, 15 * MINUTE_MS);
    expect((await login(me.phone, me.password, '203.0.113.1')).status).toBe(200);
  });

  test('forty at once get ten passwords checked, no more', async () => {
    const me = await member();
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => login(me.phone, 'wrong', '203.0.113.2')),
    );
    expect(responses.filter((response) => response.status === 401)).toHaveLength(10);
    expect(responses.filter((response) => response.body.message === 'REQUEST_LIMIT')).toHaveLength(30);
  });

  test('a hundred times does not lock the member out elsewhere', async () => {
    const me = await member();
    const { token } = (await login(me.phone, me.password, '192.0.2.50')).body;
    await Promise.all(
      Array.from({ length: 100 }, (_, time) => login(me.phone, 'wrong', `203.0.113.${10 + (time % 2)}`)),
    );
    expect((await profile(token)).status).toBe(200);
    // Slowed over all addresses, never shut, and not at all where the member has logged in before.
    const elsewhere = await login(me.phone, 'wrong', '198.51.100.90');
    expect(['WRONG_CREDENTIAL', 'REQUEST_LIMIT']).toContain(elsewhere.body.message);
    expect((await login(me.phone, me.password, '198.51.100.91')).body.message).toBe('REQUEST_LIMIT');
    expect((await login(me.phone, me.password, '192.0.2.50')).status).toBe(200);
    await pass(env, clock, MINUTE_MS);
    expect((await login(me.phone, me.password, '198.51.100.91')).status).toBe(200);
  });

  test('of one member harms no other at that address, and success forgets the failures', async () => {
    const [me, other] = [await member(), await member()];
    for (let time = 0; time < 9; time++) await login(me.phone, 'wrong', '203.0.113.30');
    expect((await login(other.phone, other.password, '203.0.113.30')).status).toBe(200);
    expect((await login(me.phone, me.password, '203.0.113.30')).status).toBe(200);
    const { rows } = await env.owner.query('select 1 from throttle where key = $1', [
      `login:${me.phone}:203.0.113.30`,
    ]);
    expect(rows).toEqual([]);
  });

  test('from one address over many phones is slowed, except for members who have logged in there', async () => {
    const [home, otherMember] = [await member(), await member()];
    expect((await login(home.phone, home.password, '203.0.113.77')).status).toBe(200);
    await env.set('login.addressFailuresMax', 5);
    const responses = [];
    for (let phone = 0; phone < 20; phone++)
      responses.push((await login(`08999${phone}`.padEnd(10, '7'), 'wrong', '203.0.113.77')).status);
    expect(responses.filter((status) => status === 401)).toHaveLength(6);
    expect(responses.filter((status) => status === 429)).toHaveLength(14);
    expect((await login(otherMember.phone, otherMember.password, '203.0.113.77')).status).toBe(429);
    expect((await login(otherMember.phone, otherMember.password, '203.0.113.78')).status).toBe(200);
    expect((await login(home.phone, home.password, '203.0.113.77')).status).toBe(200);
    await env.set('login.addressFailuresMax', 60);
  });

  test('from a whole IPv6 site is one caller too, with four times the room of a network', async () => {
    await env.set('login.addressFailuresMax', 2);
    const responses = [];
    for (let network = 1; network <= 20; network++)
      responses.push((await login(`0898888${100 + network}`, 'wrong', `2001:db8:5:${network}::1`)).status);
    expect(responses.filter((status) => status === 401)).toHaveLength(9);
    expect((await login('0898888999', 'wrong', '2001:db8:6:1::1')).status).toBe(401);
    await env.set('login.addressFailuresMax', 60);
  });

  test('never keeps the owner out: a code by SMS opens the network it was typed in', async () => {
    const me = await member();
    for (let address = 1; address <= 30; address++)
      await login(me.phone, 'wrong', `203.0.113.${100 + address}`);
    expect((await login(me.phone, me.password, '198.51.100.120')).status).toBe(429);
    const send = () =>
      env.call('POST', '/api/password/send', { phoneNumber: me.phone }, from('198.51.100.120'));
    const { otpToken } = (await send()).body;
    const otpCode = await codeOn(me.phone);
    const proof = { otpToken, otpCode };
    expect((await env.call('POST', '/api/password/verify', proof, from('198.51.100.120'))).status).toBe(200);
    for (let time = 0; time < 3; time++) {
      expect((await login(me.phone, me.password, '198.51.100.120')).status).toBe(200);
      for (let address = 1; address <= 5; address++)
        await login(me.phone, 'wrong', `203.0.113.${140 + address}`);
    }
    // Only there, and no oftener than any pair of phone and address.
    expect((await login(me.phone, me.password, '198.51.100.121')).status).toBe(429);
    for (let time = 0; time < 10; time++) await login(me.phone, 'wrong', '198.51.100.120');
    expect((await login(me.phone, me.password, '198.51.100.120')).status).toBe(429);
  });

  test('codes and their blocks elsewhere leave the owner codes at home', async () => {
    const me = await member();
    expect((await login(me.phone, me.password, '192.0.2.130')).status).toBe(200);
    const send = (address: string) =>
      env.call('POST', '/api/password/send', { phoneNumber: me.phone }, from(address));
    const { otpToken } = (await send('203.0.113.150')).body;
    const guess = { otpToken, otpCode: 'wrong' };
    for (let time = 0; time < 5; time++)
      await env.call('POST', '/api/password/verify', guess, from('203.0.113.150'));
    expect((await send('203.0.113.151')).body.message).toBe('OTP_BLOCK');
    expect((await send('192.0.2.130')).status).toBe(200);
  });

  test('codes requested where a thief has logged in leave the owner codes at home', async () => {
    const me = await member();
    const [home, thief] = ['192.0.2.140', '203.0.113.160'];
    for (const address of [home, thief])
      expect((await login(me.phone, me.password, address)).status).toBe(200);
    const send = (address: string) =>
      env.call('POST', '/api/password/send', { phoneNumber: me.phone }, from(address));
    const { otpToken } = (await send(thief)).body;
    for (let time = 0; time < 5; time++)
      await env.call('POST', '/api/password/verify', { otpToken, otpCode: 'wrong' }, from(thief));
    expect((await send(thief)).body.message).toBe('OTP_BLOCK');
    expect((await send(home)).status).toBe(200);
  });

  test('a hundred right logins a day are open in one network; the member is not kept out elsewhere', async () => {
    const me = await member();
    const [busy, home] = ['203.0.113.170', '192.0.2.150'];
    const statuses = [];
    for (let time = 0; time < 101; time++) statuses.push((await login(me.phone, me.password, busy)).status);
    expect(statuses).toEqual([...Array(100).fill(200), 429]);
    expect((await login(me.phone, me.password, home)).status).toBe(200);
    await pass(env, clock, DAY_MS);
    expect((await login(me.phone, me.password, busy)).status).toBe(200);
  });
});

describe('a session', () => {
  test('ends with logout, for itself alone', async () => {
    const me = await member();
    const [one, two] = [
      (await login(me.phone, me.password)).body.token,
      (await login(me.phone, me.password)).body.token,
    ];
    expect((await env.call('POST', '/api/logout', undefined, { token: one })).body).toEqual({
      message: 'OK',
    });
    expect(await profile(one)).toMatchObject({ status: 401, body: { message: 'INVALID_USER_2' } });
    expect(await env.call('POST', '/api/logout', undefined, { token: one })).toMatchObject({ status: 401 });
    expect((await profile(two)).status).toBe(200);
  });

  test('ends after thirty days', async () => {
    const me = await member();
    const { token } = (await login(me.phone, me.password)).body;
    await pass(env, clock, 30 * DAY_MS - MINUTE_MS);
    expect((await profile(token)).status).toBe(200);
    await pass(env, clock, MINUTE_MS);
    expect(await profile(token)).toMatchObject({ status: 401, body: { message: 'invalid-token' } });
  });

  test('ends when it was not used for the idle days, and each use puts that off', async () => {
    const me = await member();
    await env.set('session.idleDays', 7);
    try {
      const [used, unused] = [await login(me.phone, me.password), await login(me.phone, me.password)];
      for (let week = 0; week < 3; week++) {
        await pass(env, clock, 6 * DAY_MS);
        expect((await profile(used.body.token)).status).toBe(200);
        // The use is stored without waiting for it.
        await until(async () => {
          const { rows } = await env.owner.query(
            'select 1 from session where member_id = $1 and last_seen_at > $2',
            [me.id, new Date(clock.now().getTime() - MINUTE_MS)],
          );
          return rows.length === 1;
        });
      }
      expect(await profile(unused.body.token)).toMatchObject({
        status: 401,
        body: { message: 'invalid-token' },
      });
      const { body } = await env.call('GET', '/api/account/sessions', undefined, { token: used.body.token });
      expect(body.sessions).toMatchObject([{ isThis: true }]);
      const support = await operatorHelpers(env).operator('support');
      const seen = await operatorHelpers(env).call(support, 'GET', `/api/operator/members/${me.id}`);
      const open = seen.body.sessions.filter(
        ({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt) > clock.now().getTime(),
      );
      expect(open).toHaveLength(1);
      await pass(env, clock, 7 * DAY_MS);
      expect((await profile(used.body.token)).body).toEqual({ message: 'invalid-token' });
    } finally {
      await env.set('session.idleDays', 30);
    }
  });

  test('goes on without use while the idle days are 0, to its absolute end', async () => {
    const me = await member();
    for (const [key, value] of [
      ['session.days', 90],
      ['session.idleDays', 0],
    ] as const)
      await env.set(key, value);
    try {
      const { token } = (await login(me.phone, me.password)).body;
      await pass(env, clock, 89 * DAY_MS);
      expect((await profile(token)).status).toBe(200);
      await pass(env, clock, DAY_MS);
      expect((await profile(token)).status).toBe(401);
    } finally {
      for (const key of ['session.days', 'session.idleDays'] as const) await env.set(key, 30);
    }
  });

  test('is stored for a year after its time, with its address, and then no longer', async () => {
    const me = await member();
    const tokens = [await login(me.phone, me.password), await login(me.phone, me.password)];
    await env.call('POST', '/api/logout', undefined, { token: tokens[0]!.body.token });
    const stored = async () =>
      (await env.owner.query('select 1 from session where member_id = $1', [me.id])).rows.length;
    await pass(env, clock, (30 + 365) * DAY_MS - MINUTE_MS);
    await login(me.phone, me.password);
    await env.app.runJob('housekeeping');
    expect(await stored()).toBe(3);
    await pass(env, clock, 2 * MINUTE_MS);
    await env.app.runJob('housekeeping');
    expect(await stored()).toBe(1);
    expect((await profile(tokens[0]!.body.token)).body).toEqual({ message: 'invalid-token' });
  });

  test('stays with the one who changes the password, and ends everywhere else', async () => {
    const me = await member();
    const [mine, other] = [
      (await login(me.phone, me.password)).body.token,
      (await login(me.phone, me.password)).body.token,
    ];
    expect((await changePassword(mine, me.password, 'another password')).body).toEqual({ message: 'OK' });
    expect((await profile(mine)).status).toBe(200);
    expect(await profile(other)).toMatchObject({ status: 401, body: { message: 'INVALID_USER_4' } });
    expect((await login(me.phone, me.password)).status).toBe(401);
    expect((await login(me.phone, 'another password')).status).toBe(200);
  });

  test('cannot change the password without the old one, nor guess it', async () => {
    const me = await member();
    const { token } = (await login(me.phone, me.password)).body;
    for (let time = 0; time < 10; time++)
      expect(await changePassword(token, 'wrong', 'new')).toMatchObject({
        status: 400,
        body: { message: 'WRONG_PASSWORD' },
      });
    expect(await changePassword(token, me.password, 'new')).toMatchObject({
      status: 429,
      body: { message: 'REQUEST_LIMIT' },
    });
    expect((await login(me.phone, me.password, '192.0.2.99')).status).not.toBe(401);
  });
});

describe('a token', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['without a value', 'Bearer '],
    ['short', 'Bearer x'],
    ['unknown', `Bearer ${'a'.repeat(43)}`],
    ['of another scheme', `Basic ${'a'.repeat(43)}`],
    ['double', `Bearer ${'a'.repeat(43)}, Bearer b`],
    ['very long', `Bearer ${'a'.repeat(10_000)}`],
    ['a piece of SQL', "Bearer ' or 1=1--"],
  ])('that is %s is invalid-token', async (_what, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await env.call('GET', '/api/wallet', undefined, { headers });
    expect(response).toMatchObject({ status: 401, body: { message: 'invalid-token' } });
  });

  test('in an address or a cookie is none', async () => {
    const me = await member();
    const { token } = (await login(me.phone, me.password)).body;
    expect((await env.call('GET', `/api/wallet?token=${token}&access_token=${token}`)).status).toBe(401);
    expect(
      (await env.call('GET', '/api/wallet', undefined, { headers: { cookie: `token=${token}` } })).status,
    ).toBe(401);
  });
});
