import { io } from 'socket.io-client';
import { describe, expect, test } from 'vitest';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { from, PROXY, person } from '../registration/testing-people.ts';
import { pass, pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: PROXY });
await env.set('register.otp', false);
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';

/** A member logged in from two places. */
async function member() {
  const who = person();
  await env.call('POST', '/api/account', who);
  const login = async (address: string, agent: string): Promise<string> => {
    const { headers } = from(address);
    const body = { username: who.username, password: who.password };
    return (await env.call('POST', '/api/login', body, { headers: { ...headers, 'user-agent': agent } })).body
      .token;
  };
  return { here: await login('203.0.113.7', IPHONE), there: await login('198.51.100.9', 'node') };
}
const list = (token: string) => env.call('GET', '/api/account/sessions', undefined, { token });
const end = (token: string, id = '') =>
  env.call('DELETE', `/api/account/sessions${id && `/${id}`}`, undefined, { token });

describe('own sessions', () => {
  test('are listed in words, this one first, with masked addresses and no token', async () => {
    const { here } = await member();
    const { status, body } = await list(here);
    expect([status, body.sessions]).toEqual([
      200,
      [
        expect.objectContaining({
          isThis: true,
          isNew: false,
          browser: 'Safari',
          system: 'iPhone',
          address: '203.0.x.x',
        }),
        expect.objectContaining({ isThis: false, isNew: true, browser: null, address: '198.51.x.x' }),
      ],
    ]);
    expect(JSON.stringify(body)).not.toContain(here);
    const before = body.sessions[0].lastSeenAt;
    await pass(env, clock, 6 * 60_000);
    await list(here);
    await until(async () => (await list(here)).body.sessions[0].lastSeenAt > before);
    expect((await list(here)).body.sessions[1].lastSeenAt).toBe(body.sessions[1].lastSeenAt);
  });

  test('end one by one: the next call there is refused, here it stays open, and a repeat changes nothing', async () => {
    const { here, there } = await member();
    const { id } = (await list(here)).body.sessions[1];
    for (let time = 0; time < 2; time++) expect((await end(here, id)).body).toEqual({ message: 'OK' });
    expect(await list(there)).toMatchObject({ status: 401, body: { message: 'INVALID_USER_2' } });
    expect((await list(here)).body.sessions).toHaveLength(1);
  });

  test('end everywhere but here', async () => {
    const { here, there } = await member();
    expect((await end(here)).body).toEqual({ ended: 1 });
    expect((await end(here)).body).toEqual({ ended: 0 });
    expect((await list(there)).body).toEqual({ message: 'INVALID_USER_2' });
    expect((await list(here)).status).toBe(200);
  });

  test('from a new device notify the open screens at once, others do not', async () => {
    const who = person();
    await env.call('POST', '/api/account', who);
    const login = async (agent: string) => {
      const { headers } = from('203.0.113.7');
      const body = { username: who.username, password: who.password };
      return (await env.call('POST', '/api/login', body, { headers: { ...headers, 'user-agent': agent } }))
        .body;
    };
    const { token } = await login(IPHONE);
    const socket = io(env.url, { auth: { token }, transports: ['websocket'] });
    let notifications = 0;
    socket.on('login', () => notifications++);
    await new Promise<void>((resume) => socket.once('connect', resume));
    await login(IPHONE);
    await login('a device that is new');
    await expect.poll(() => notifications).toBe(1);
    const { id } = (await list(token)).body.sessions.find((one: { isNew: boolean }) => one.isNew);
    await env.call('POST', `/api/account/sessions/${id}/known`, undefined, { token });
    await expect.poll(() => notifications).toBe(2);
    socket.close();
  });

  test('from a new device are marked until an older device confirms them', async () => {
    const { here, there } = await member();
    const marks = async (token: string) =>
      (await list(token)).body.sessions.map((one: { isNew: boolean }) => one.isNew);
    const known = (token: string, id: string) =>
      env.call('POST', `/api/account/sessions/${id}/known`, undefined, { token });
    expect(await marks(here)).toEqual([false, true]);
    const { id } = (await list(here)).body.sessions[1];
    const { id: older } = (await list(here)).body.sessions[0];
    for (const one of [id, older])
      expect(await known(there, one)).toMatchObject({ status: 403, body: { message: 'UNAUTHORIZED' } });
    for (const odd of ['x', '00000000-0000-0000-0000-000000000000'])
      expect(await known(here, odd)).toMatchObject({ status: 404, body: { message: 'NO_DATA' } });
    const otherMember = await member();
    expect(await known(otherMember.here, id)).toMatchObject({ status: 404, body: { message: 'NO_DATA' } });
    expect(await known('x', id)).toMatchObject({ status: 401, body: { message: 'invalid-token' } });
    for (let time = 0; time < 2; time++) expect((await known(here, id)).body).toEqual({ message: 'OK' });
    expect(await marks(there)).toEqual([false, false]);
  });

  test('of a member cannot be seen or ended by another member', async () => {
    const [me, other] = [await member(), await member()];
    const { id } = (await list(other.here)).body.sessions[0];
    for (const odd of [id, 'x', '00000000-0000-0000-0000-000000000000'])
      expect(await end(me.here, odd)).toMatchObject({ status: 404, body: { message: 'NO_DATA' } });
    expect((await list(other.here)).status).toBe(200);
    for (const response of [await list('x'), await end('x'), await end('x', id)])
      expect(response).toMatchObject({ status: 401, body: { message: 'invalid-token' } });
  });
});
