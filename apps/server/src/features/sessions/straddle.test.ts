import { expect, test } from 'vitest';
import { holdAttempts, LOCKS_AWAITED } from '../../testing/locks.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { from, PROXY, peopleHelpers, person } from '../registration/testing-people.ts';

const env = await startTestEnv({ jobs: false, environment: PROXY });
await env.set('register.otp', false);
for (const key of ['register.addressHourMax', 'otp.addressHourMax'] as const) await env.set(key, 100_000);
const { codeOn } = peopleHelpers(env);

const HERE = '192.0.2.9';
const NEW = 'a new password';

const whileHeld = await holdAttempts(env.owner, [`login:%:${HERE}`, 'pin:%']);
const waiting = async (): Promise<number> => (await env.owner.query(LOCKS_AWAITED)).rows.length;

async function member() {
  const who = person();
  const { body } = await env.call('POST', '/api/account', who);
  return { id: String(body._id), phone: String(who.username), password: String(who.password) };
}
type Someone = Awaited<ReturnType<typeof member>>;
const login = (me: Someone, password: string, address = '192.0.2.1') =>
  env.call('POST', '/api/login', { username: me.phone, password }, from(address));
const profile = async (token: string) =>
  (await env.call('GET', '/api/account/profile', undefined, { token })).status;
const living = async (me: Someone): Promise<number> =>
  (
    await env.owner.query(
      'select count(*)::int as count from session where member_id = $1 and ended_at is null',
      [me.id],
    )
  ).rows[0].count;

/** A code for a new password, typed rightly; returns the call that sets it. */
async function proven(me: Someone) {
  const { otpToken } = (
    await env.call('POST', '/api/password/send', { phoneNumber: me.phone }, from('192.0.2.1'))
  ).body;
  const otpCode = await codeOn(me.phone);
  await env.call('POST', '/api/password/verify', { otpToken, otpCode }, from('192.0.2.1'));
  return () => env.call('POST', '/api/password/reset', { otpToken, newPassword: NEW }, from('192.0.2.1'));
}

test('a login with the old password that another one overtakes opens nothing', async () => {
  const me = await member();
  const reset = await proven(me);
  const response = await whileHeld(
    () => login(me, me.password, HERE),
    async () => expect((await reset()).status).toBe(200),
  );
  expect(response).toMatchObject({ status: 401, body: { message: 'WRONG_CREDENTIAL' } });
  expect(await living(me)).toBe(0);
  expect((await login(me, NEW)).status).toBe(200);
});

test('nor does one that arrives while the new password is being set', async () => {
  const me = await member();
  const { token } = (await login(me, me.password)).body;
  const reset = await proven(me);
  const holder = await env.owner.connect();
  try {
    // The reset has written the password and waits for the first session, which it is about to end.
    await holder.query('begin');
    await holder.query('select 1 from session where member_id = $1 for update', [me.id]);
    const resetting = reset();
    await until(async () => (await waiting()) === 1);
    const going = login(me, me.password);
    await until(async () => (await waiting()) === 2 || (await living(me)) === 2);
    await holder.query('commit');
    expect((await resetting).status).toBe(200);
    expect(await going).toMatchObject({ status: 401, body: { message: 'WRONG_CREDENTIAL' } });
  } finally {
    holder.release(true);
  }
  expect([await living(me), await profile(token)]).toEqual([0, 401]);
});

test('an earlier login is ended by the new password', async () => {
  const me = await member();
  const { token } = (await login(me, me.password)).body;
  expect((await (await proven(me))()).status).toBe(200);
  expect([await living(me), await profile(token)]).toEqual([0, 401]);
});

test('a member changing their password does not undo a reset that overtook them', async () => {
  const me = await member();
  const { token } = (await login(me, me.password)).body;
  const reset = await proven(me);
  const { headers } = from(HERE);
  const response = await whileHeld(
    () =>
      env.call(
        'PUT',
        '/api/account/changepwd',
        { oldPassword: me.password, newPassword: 'what a thief chose' },
        { token, headers },
      ),
    async () => expect((await reset()).status).toBe(200),
  );
  expect(response).toMatchObject({ body: { message: 'WRONG_PASSWORD' } });
  expect((await login(me, NEW)).status).toBe(200);
  expect((await login(me, 'what a thief chose')).status).toBe(401);
});

test('a PIN that is set again while the old one is proven is still owed', async () => {
  const me = await member();
  const { token } = (await login(me, me.password)).body;
  const put = (pin: string) =>
    env.call('PUT', '/api/account/pin', { password: me.password, pin }, { token, ...from('192.0.2.1') });
  expect((await put('135790')).status).toBe(200);
  const response = await whileHeld(
    () => env.call('POST', '/api/account/pin/prove', { pin: '135790' }, { token }),
    async () => expect((await put('246801')).status).toBe(200),
  );
  expect(response).toMatchObject({ body: { message: 'WRONG_PASSWORD' } });
  const { rows } = await env.owner.query(
    'select 1 from session where member_id = $1 and pin_proven_at is not null',
    [me.id],
  );
  expect(rows).toEqual([]);
});
