import { MINUTE_MS } from '@krapao/contract/durations';
import { type TOTP, URI } from 'otpauth';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { holdPasswords } from '../../testing/busy-passwords.ts';
import { holdAttempts } from '../../testing/locks.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { PROXY } from '../registration/testing-people.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: PROXY });
const operators = operatorHelpers(env);
const admin = await operators.operator('admin');
const second = await operators.operator('admin');
const PASSWORD = 'a long enough password';
const STEP_MS = 30_000;

const refusal = (status: number, message: string) => ({ status, body: { message } });

/** Invites an operator, with a second person's yes, and uses their enrolment; returns the authenticator. */
async function enrolled(name: string, role = 'finance'): Promise<TOTP> {
  const invited = await operators.call(admin, 'POST', '/api/operator/operators', {
    name,
    role,
    reason: 'new colleague',
  });
  expect(invited.status).toBe(200);
  const { token, approval } = invited.body;
  const agreed = await operators.call(second, 'POST', `/api/operator/approvals/${approval}/approve`, {});
  expect(agreed.status).toBe(200);
  const shown = await operators.call(null, 'POST', '/api/operator/enrolment', { token });
  const totp = URI.parse(shown.body.otpauth) as TOTP;
  const code = totp.generate({ timestamp: clock.now().getTime() });
  expect(
    await operators.call(null, 'POST', '/api/operator/enrol', { token, password: PASSWORD, code }),
  ).toMatchObject({
    status: 200,
  });
  expect(
    await operators.call(null, 'POST', '/api/operator/enrol', { token, password: PASSWORD, code }),
  ).toMatchObject(refusal(400, 'ENROLMENT_INVALID'));
  clock.push(STEP_MS);
  return totp;
}

async function signIn(name: string, code: string, password = PASSWORD) {
  const response = await operators.call(null, 'POST', '/api/operator/login', { name, password, code });
  const cookie = String(response.headers['set-cookie'] ?? '').split(';')[0]!;
  return { ...response, operator: { id: 0n, name, role: '', cookie } satisfies TestOperator };
}
const signInFrom = (address: string, name: string, code: string, password = PASSWORD) =>
  operators.call(
    null,
    'POST',
    '/api/operator/login',
    { name, password, code },
    { 'x-forwarded-for': address },
  );
const codeOf = (totp: TOTP) => totp.generate({ timestamp: clock.now().getTime() });

describe('signing in', () => {
  test('needs the password and the code of this moment, and gives a cookie no script can read', async () => {
    const totp = await enrolled('malee');
    const code = codeOf(totp);
    expect(await signIn('malee', code, 'another long password')).toMatchObject(
      refusal(401, 'WRONG_CREDENTIAL'),
    );
    expect(await signIn('malee', '000000')).toMatchObject(refusal(401, 'WRONG_CREDENTIAL'));
    expect(await signIn('nobody', code)).toMatchObject(refusal(401, 'WRONG_CREDENTIAL'));
    const { status, body, headers, operator } = await signIn('malee', code);
    expect([status, body.name, body.role]).toEqual([200, 'malee', 'finance']);
    expect(body.permissions).toContain('withdrawal.decide');
    expect(headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict/);
    expect(await operators.call(operator, 'GET', '/api/operator/me')).toMatchObject({
      status: 200,
      body: { name: 'malee' },
    });
    expect(await operators.audit('operator:malee')).toMatchObject([
      { actor: `operator:${admin.name}`, role: 'admin', action: 'approval.request', reason: 'new colleague' },
      { actor: `operator:${second.name}`, action: 'operator.create', reason: 'new colleague' },
      { actor: 'operator:malee', action: 'operator.enrol' },
      { actor: 'operator:malee', action: 'operator.wrong-code', address: '127.0.0.1' },
      { actor: 'operator:malee', action: 'operator.login', address: '127.0.0.1' },
    ]);
  });

  test('opens no session of an operator who is suspended between the proof and the session', async () => {
    const totp = await enrolled('meanwhile');
    await env.owner.query(
      `create function suspend_meanwhile() returns trigger language plpgsql as $$
       begin update operator set status = 'SUSPENDED' where id = new.id; return null; end $$`,
    );
    await env.owner.query(
      `create trigger suspend_meanwhile after update of totp_step on operator for each row
       execute function suspend_meanwhile()`,
    );
    try {
      expect(await signIn('meanwhile', codeOf(totp))).toMatchObject(refusal(401, 'WRONG_CREDENTIAL'));
    } finally {
      await env.owner.query('drop function suspend_meanwhile cascade');
    }
  });

  test('takes a code once, also of forty at once', async () => {
    const totp = await enrolled('once');
    await env.set('login.failuresMax', 100);
    const code = codeOf(totp);
    const responses = await Promise.all(Array.from({ length: 40 }, () => signIn('once', code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await signIn('once', code)).toMatchObject(refusal(401, 'WRONG_CREDENTIAL'));
    await env.set('login.failuresMax', 10);
    await env.owner.query('delete from throttle');
  });

  test('costs its address nothing when it is right, however many enrol and sign in from there', async () => {
    await env.owner.query('delete from throttle');
    for (const name of ['ann', 'ben'])
      expect((await signIn(name, codeOf(await enrolled(name)))).status).toBe(200);
    // Of each enrolment one wrong try was made, with the token used up; nothing else is counted.
    const { rows } = await env.owner.query(
      "select sum(count)::int as count from throttle where key like 'operator-%'",
    );
    expect(rows[0].count).toBe(4);
    await env.owner.query('delete from throttle');
  });

  test('of an enrolment that a busy server did not check uses up no try', async () => {
    await env.owner.query('delete from throttle');
    const invitation = { name: 'early', role: 'finance', reason: 'new colleague' };
    const { body } = await operators.call(admin, 'POST', '/api/operator/operators', invitation);
    await operators.call(second, 'POST', `/api/operator/approvals/${body.approval}/approve`, {});
    const release = holdPasswords({ lane: 'operator', address: '127.0.0.1' });
    try {
      const given = { token: body.token, password: PASSWORD, code: '000000' };
      expect((await operators.call(null, 'POST', '/api/operator/enrol', given)).status).toBe(503);
    } finally {
      await release();
    }
    const { rows } = await env.owner.query(
      "select sum(count)::int as count from throttle where key like 'operator-%'",
    );
    expect(rows[0].count).toBe(0);
    await env.owner.query('delete from throttle');
  });

  test('is throttled after ten failures, from this address only', async () => {
    const totp = await enrolled('slow');
    for (let failure = 0; failure < 10; failure++)
      expect(await signIn('slow', '000000', 'a wrong password')).toMatchObject(
        refusal(401, 'WRONG_CREDENTIAL'),
      );
    expect(await signIn('slow', codeOf(totp))).toMatchObject(refusal(429, 'REQUEST_LIMIT'));
    await env.owner.query('delete from throttle');
    expect(await signIn('slow', codeOf(totp))).toMatchObject({ status: 200 });
  });

  test('is slowed for a name over all addresses, a wrong code after the right password counting twice', async () => {
    const totp = await enrolled('hunted');
    const responses = [];
    for (let address = 1; address <= 30; address++)
      responses.push((await signInFrom(`203.0.113.${address}`, 'hunted', '000000')).status);
    // Five tries fill ten places; the slot that follows is the last for a while.
    expect(responses.filter((status) => status === 401)).toHaveLength(6);
    expect(responses.filter((status) => status === 429)).toHaveLength(24);
    expect(await signInFrom('203.0.113.99', 'hunted', codeOf(totp))).toMatchObject(
      refusal(429, 'REQUEST_LIMIT'),
    );
    clock.push(MINUTE_MS);
    expect((await signInFrom('203.0.113.99', 'hunted', codeOf(totp))).status).toBe(200);
    // Attempts from elsewhere do not slow the network that the operator has signed in from.
    for (let address = 1; address <= 30; address++)
      await signInFrom(`198.51.100.${address}`, 'hunted', '000000');
    clock.push(STEP_MS * 2);
    for (let address = 1; address <= 5; address++)
      await signInFrom(`198.51.100.${address}`, 'hunted', '000000');
    expect((await signInFrom('203.0.113.99', 'hunted', codeOf(totp))).status).toBe(200);
    await env.owner.query('delete from throttle');
  });

  test('runs as many statements and commits for a wrong code as for a wrong password, so that no wait says which', async () => {
    await enrolled('timed');
    const kinds = async (name: string, password: string) => {
      await env.owner.query("delete from throttle where key not like 'operator-codes:%'");
      const query = vi.spyOn(pg.Client.prototype, 'query');
      try {
        expect((await signInFrom('203.0.113.1', name, '000000', password)).status).toBe(401);
        const sent = query.mock.calls.map(([statement], at) => ({
          client: query.mock.contexts[at],
          text: typeof statement === 'string' ? statement : (statement as { text: string }).text,
        }));
        const isOwn = (one?: { text: string }) => /throttle|operator|audit|alert/.test(one?.text ?? '');
        // Connections are probed and opened beside every call.
        return sent
          .filter((one, at) => {
            const beside = (list: typeof sent) => list.find(({ client }) => client === one.client);
            if (one.text === 'begin') return isOwn(beside(sent.slice(at + 1)));
            return isOwn(one.text === 'commit' ? beside(sent.slice(0, at).reverse()) : one);
          })
          .map(({ text }) => text.split(' ', 1)[0]!.replace(/insert|update|delete/, 'write'));
      } finally {
        query.mockRestore();
      }
    };
    const wrongPassword = await kinds('timed', 'a wrong password');
    expect(wrongPassword.filter((kind) => kind === 'commit')).toHaveLength(1);
    expect(await kinds('no-such-operator', PASSWORD)).toEqual(wrongPassword);
    // From the third on they open an alert and bring it up to date.
    for (let time = 0; time < 4; time++) expect(await kinds('timed', PASSWORD)).toEqual(wrongPassword);
    expect(await operators.audit('operator:no-such-operator')).toEqual([]);
    const codes = (await operators.audit('operator:timed')).filter(
      ({ action }) => action === 'operator.wrong-code',
    );
    expect(codes).toHaveLength(4);
    await env.owner.query('delete from throttle');
  });

  test('with wrong codes after the right password leaves audit rows, and opens an alert after three', async () => {
    const totp = await enrolled('watched');
    const alerts = async () =>
      (
        await env.owner.query(
          "select detail from alert where kind = 'wrong-codes' and subject = 'operator:watched' and closed_at is null",
        )
      ).rows;
    for (let time = 0; time < 2; time++) await signInFrom(`203.0.113.${time}`, 'watched', '000000');
    await signInFrom('203.0.113.7', 'watched', '000000', 'a wrong password');
    expect(await alerts()).toEqual([]);
    // A right one begins again.
    expect((await signIn('watched', codeOf(totp))).status).toBe(200);
    for (let time = 0; time < 3; time++) await signInFrom(`198.51.100.${time}`, 'watched', '000000');
    expect(await alerts()).toEqual([
      { detail: '3 wrong codes after the right password, the last from 198.51.100.2' },
    ]);
    const rows = (await operators.audit('operator:watched')).filter(
      (row) => row.action === 'operator.wrong-code',
    );
    expect(rows).toHaveLength(5);
    expect(rows.at(-1)).toMatchObject({ actor: 'operator:watched', address: '198.51.100.2' });
    await env.owner.query('delete from throttle');
  });
});

describe('a session', () => {
  test('ends by logout, by its owner, by an admin, when idle, and when old', async () => {
    const totp = await enrolled('ending');
    const open = async () => {
      clock.push(STEP_MS * 2);
      return (await signIn('ending', codeOf(totp))).operator;
    };
    const me = (as: TestOperator) => operators.call(as, 'GET', '/api/operator/me');
    const first = await open();
    expect((await operators.call(first, 'POST', '/api/operator/logout')).status).toBe(200);
    expect(await me(first)).toMatchObject(refusal(401, 'EXPIRED_AUTH_TOKEN'));

    const [second, third] = [await open(), await open()];
    const { body } = await operators.call(third, 'GET', '/api/operator/sessions');
    const other = body.sessions.find((one: { current: boolean }) => !one.current);
    expect((await operators.call(third, 'DELETE', `/api/operator/sessions/${other.id}`)).status).toBe(200);
    expect((await operators.call(third, 'DELETE', `/api/operator/sessions/${other.id}`)).status).toBe(404);
    expect([(await me(second)).status, (await me(third)).status]).toEqual([401, 200]);

    const path = '/api/operator/operators/ending/sessions/end';
    expect(await operators.call(admin, 'POST', path, { reason: 'lost laptop' })).toMatchObject({
      body: { ended: 1 },
    });
    expect((await me(third)).status).toBe(401);

    const idle = await open();
    await env.set('desk.sessionIdleMinutes', 30);
    clock.push(29 * MINUTE_MS);
    expect((await me(idle)).status).toBe(200);
    clock.push(31 * MINUTE_MS);
    expect(await me(idle)).toMatchObject(refusal(401, 'EXPIRED_AUTH_TOKEN'));
    const old = await open();
    await env.set('desk.sessionIdleMinutes', 100_000);
    clock.push(12 * 60 * MINUTE_MS);
    expect(await me(old)).toMatchObject(refusal(401, 'EXPIRED_AUTH_TOKEN'));
  });

  test('is extended by the operator’s input, not by an open page', async () => {
    const totp = await enrolled('away');
    await env.set('desk.sessionIdleMinutes', 30);
    await env.set('desk.sessionHours', 12);
    const { operator } = await signIn('away', codeOf(totp));
    const me = (headers = {}) => operators.call(operator, 'GET', '/api/operator/me', undefined, headers);
    clock.push(10 * MINUTE_MS);
    // Its stream of events, its polling and what it reads again by itself.
    const address = await env.app.consoleHttp.listen({ port: 0, host: '127.0.0.1' });
    const stop = new AbortController();
    const stream = await fetch(`${address}/api/operator/live`, {
      headers: { cookie: operator.cookie, 'x-user-input': '1' },
      signal: stop.signal,
    });
    expect(stream.status).toBe(200);
    stop.abort();
    expect((await me()).body.idleSeconds).toBe(20 * 60);
    const input = { 'x-user-input': '1' };
    expect((await me(input)).body.idleSeconds).toBe(30 * 60);
    clock.push(29 * MINUTE_MS);
    expect((await me()).body.idleSeconds).toBe(60);
    expect((await me({ 'x-user-input': 'yes' })).body.idleSeconds).toBe(60);
    expect((await me(input)).status).toBe(200);
    clock.push(30 * MINUTE_MS);
    expect(await me(input)).toMatchObject({
      status: 401,
      body: { message: 'EXPIRED_AUTH_TOKEN', data: { reason: 'idle' } },
    });
    await env.set('desk.sessionIdleMinutes', 100_000);
  });

  test('of a suspended operator opens nothing, nor may they sign in', async () => {
    const fresh = await operators.operator('admin');
    const totp = await enrolled('gone');
    const { operator } = await signIn('gone', codeOf(totp));
    const status = (to: string) =>
      operators.call(fresh, 'POST', '/api/operator/operators/gone/status', { status: to, reason: 'left us' });
    expect((await status('SUSPENDED')).status).toBe(200);
    expect((await operators.call(operator, 'GET', '/api/operator/me')).status).toBe(401);
    clock.push(STEP_MS * 2);
    expect(await signIn('gone', codeOf(totp))).toMatchObject(refusal(403, 'INACTIVE_USER'));
    const own = `/api/operator/operators/${fresh.name}/status`;
    expect((await operators.call(fresh, 'POST', own, { status: 'SUSPENDED', reason: 'myself' })).status).toBe(
      403,
    );
  });

  test('survives a change of password only where it was changed', async () => {
    const totp = await enrolled('changer');
    const { operator } = await signIn('changer', codeOf(totp));
    clock.push(STEP_MS * 2);
    const { operator: elsewhere } = await signIn('changer', codeOf(totp));
    clock.push(STEP_MS * 2);
    const change = (code: string) =>
      operators.call(operator, 'POST', '/api/operator/password', {
        oldPassword: PASSWORD,
        newPassword: 'quite another password',
        code,
      });
    expect((await change('000000')).status).toBe(401);
    expect((await change(codeOf(totp))).status).toBe(200);
    const me = (as: TestOperator) => operators.call(as, 'GET', '/api/operator/me');
    expect([(await me(operator)).status, (await me(elsewhere)).status]).toEqual([200, 401]);
  });

  test('is not opened by a password that was taken away while it was checked', async () => {
    const totp = await enrolled('straddler');
    const whileHeld = await holdAttempts(env.owner, ['operator-login:straddler:%']);
    const [maker, checker] = [await operators.operator('admin'), await operators.operator('admin')];
    const path = '/api/operator/operators/straddler/enrolment';
    const { approval } = (await operators.call(maker, 'POST', path, { reason: 'phone lost' })).body;
    const response = await whileHeld(
      () => signIn('straddler', codeOf(totp)),
      async () => {
        const agree = await operators.call(
          checker,
          'POST',
          `/api/operator/approvals/${approval}/approve`,
          {},
        );
        expect(agree.status).toBe(200);
      },
    );
    expect(response).toMatchObject(refusal(401, 'WRONG_CREDENTIAL'));
    const { rows } = await env.owner.query(
      "select 1 from operator_session s join operator o on o.id = s.operator_id where o.name = 'straddler' and s.ended_at is null",
    );
    expect(rows).toEqual([]);
  });
});

describe('the origin', () => {
  test("opens to no member's token, and the member's origin serves nothing of it", async () => {
    const member = await env.member();
    const asMember = { authorization: `Bearer ${member.token}` };
    expect(await operators.call(null, 'GET', '/api/operator/me', undefined, asMember)).toMatchObject(
      refusal(401, 'invalid-token'),
    );
    expect(await operators.call(null, 'GET', '/api/wallet', undefined, asMember)).toMatchObject({
      status: 404,
    });
    const fresh = await operators.operator('admin');
    expect(
      await env.call('GET', '/api/operator/me', undefined, { headers: { cookie: fresh.cookie } }),
    ).toMatchObject({
      status: 404,
    });
    expect(
      await env.call('GET', '/api/wallet', undefined, { headers: { cookie: fresh.cookie } }),
    ).toMatchObject({
      status: 401,
    });
  });

  test('takes changes only from its own pages', async () => {
    const fresh = await operators.operator('admin');
    const logout = (headers: Record<string, string>) =>
      operators.call(fresh, 'POST', '/api/operator/logout', undefined, headers);
    expect(await logout({ 'x-requested-with': 'wallet-user' })).toMatchObject(refusal(401, 'KEY_INVALID'));
    expect(await logout({ origin: 'http://localhost:3000' })).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    expect(await logout({ 'sec-fetch-site': 'same-site' })).toMatchObject(refusal(403, 'UNAUTHORIZED'));
    expect((await logout({})).status).toBe(200);
  });

  test('is closed to addresses off the allow list', async () => {
    const { operatorDoor } = await import('../../platform/http/declare-operator.ts');
    const { security, limits, clock } = env.app.deps;
    const config = { ...env.app.deps.config, CONSOLE_ADDRESSES: '10.1.0.0/16 2001:db8::1' };
    const door = operatorDoor({
      config,
      operatorSessions: {
        operator: () => Promise.reject(new Error('called')),
        byKey: () => Promise.reject(new Error('called')),
      },
      limits,
      clock,
      security,
    });
    const from = (ip: string) => door({ ip, headers: {}, method: 'GET' } as never, 'public', null);
    await expect(from('10.1.2.3')).resolves.toBeNull();
    await expect(from('::ffff:10.1.2.3')).resolves.toBeNull();
    await expect(from('2001:db8::1')).resolves.toBeNull();
    await expect(from('10.2.0.1')).rejects.toMatchObject({ code: 'INVALID_IP' });
    expect(() =>
      operatorDoor({
        config: { ...config, CONSOLE_ADDRESSES: 'here' },
        operatorSessions: {} as never,
        limits,
        clock,
        security,
      }),
    ).toThrow('here is no address');
  });
});
