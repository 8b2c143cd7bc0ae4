import { afterAll, describe, expect, test } from 'vitest';
import { DEMO_MEMBER } from '../demo.ts';
import { verifyLedger } from '../ledger/index.ts';
import { noRedis, startRedisServer } from '../platform/fixtures/redis-server.ts';
import { startTestEnv } from '../testing/test-env.ts';
import { anotherInstance, openScreen, type Screen } from './fixtures/instances.ts';
import { send } from './fixtures/server.ts';

if (noRedis) console.warn(`SKIPPED: two servers that meet in Redis. ${noRedis}.`);

async function startBoth() {
  const redis = await startRedisServer();
  const env = await startTestEnv({ jobs: false, environment: { REDIS_URL: redis.url } });
  const other = await anotherInstance(env);
  await env.set('withdraw.oneOpen', false);
  return { redis, env, other };
}

// Without the program nothing is started, and every test below is skipped.
const { redis, env, other } = noRedis ? ({} as Awaited<ReturnType<typeof startBoth>>) : await startBoth();

describe.skipIf(noRedis)('two servers that meet in Redis', () => {
  const screens: Screen[] = [];
  afterAll(async () => {
    for (const { socket } of screens) socket.disconnect();
    await other.close();
    redis.thaw();
    await redis.remove();
  });

  const open = async (url: string, token: string): Promise<Screen> => {
    const screen = await openScreen(url, token);
    screens.push(screen);
    return screen;
  };
  const balances = ({ received }: Screen) =>
    received.filter(({ event }) => event === 'wallet').map(({ payload }) => payload.amount);
  const withdraw = (url: string, token: string) => send(url, '/api/wallet/withdraw', token, { amount: 100 });
  const ready = async (url: string) => (await fetch(`${url}/readyz`)).json();
  const logIn = (url: string) =>
    send(url, '/api/login', 'x', { username: DEMO_MEMBER.phone, password: DEMO_MEMBER.password });
  const listening = async () =>
    (
      await env.owner.query(
        `select count(*)::int as count from pg_stat_activity where query ilike 'listen%socket.io%'`,
      )
    ).rows[0].count;

  test('do not listen to the database for each other’s hints', async () => {
    expect(await listening()).toBe(0);
    await expect.poll(() => ready(env.url)).toEqual({ status: 'ready' });
  });

  test('bring a hint to the screens at the other', async () => {
    const member = await env.member({ amountMinor: 100_000n });
    const screen = await open(other.url, member.token);
    await expect.poll(() => env.app.deps.redis?.isUp()).toBe(true);
    env.app.deps.notify([{ memberId: member.id, event: 'qr', payload: {} }]);
    await expect.poll(() => screen.received).toContainEqual({ event: 'qr', payload: {} });
    expect((await withdraw(env.url, member.token)).status).toBe(200);
    await expect.poll(() => balances(screen).at(-1)).toBe(900);
  });

  test('know whether a screen is at the other', async () => {
    const member = await env.member();
    await open(other.url, member.token);
    await expect.poll(() => env.app.deps.sockets.isThere(`member-${member.id}`)).toBe(true);
    expect(await env.app.deps.sockets.isThere('member-0')).toBe(false);
  });

  test('count what an address may do together', async () => {
    const window = { key: 'together', max: 10, ms: 60_000 };
    const fits = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? env.app : other.app).deps.limits.fits(window, new Date()),
      ),
    );
    expect(fits.filter(Boolean)).toHaveLength(10);
  });

  test('move money, sign members in and bring hints while Redis is gone, and are as before when it is back', {
    timeout: 120_000,
  }, async () => {
    const member = await env.member({ amountMinor: 1_000_000_000n });
    const screen = await open(other.url, member.token);
    let closed = 0;
    screen.socket.on('disconnect', () => closed++);
    const moved: number[] = [];
    let isOver = false;
    // Money moves all the time, through both servers.
    const load = (async () => {
      while (!isOver)
        for (const url of [env.url, other.url]) moved.push((await withdraw(url, member.token)).status);
    })();
    await expect.poll(() => moved.length).toBeGreaterThan(4);
    await redis.kill();
    await expect.poll(() => env.app.deps.redis?.isUp()).toBe(false);
    await expect.poll(() => other.app.deps.redis?.isUp()).toBe(false);
    const during = moved.length;
    await expect
      .poll(() => ready(env.url), { timeout: 20_000 })
      .toEqual({ status: 'ready', degraded: ['redis'] });
    for (const url of [env.url, other.url]) expect((await logIn(url)).status).toBe(200);
    env.app.deps.notify([{ memberId: member.id, event: 'qr', payload: { while: 'away' } }]);
    await expect.poll(() => screen.received).toContainEqual({ event: 'qr', payload: { while: 'away' } });
    const late = await open(env.url, member.token);
    expect(late.socket.connected).toBe(true);
    await expect.poll(() => moved.length).toBeGreaterThan(during + 4);
    await redis.start();
    await expect.poll(() => ready(env.url), { timeout: 20_000 }).toEqual({ status: 'ready' });
    // Screens are closed once, within seconds, because they may have missed something; they come back and read again.
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => screen.socket.connected, { timeout: 20_000 }).toBe(true);
    env.app.deps.notify([{ memberId: member.id, event: 'qr', payload: { back: true } }]);
    await expect.poll(() => screen.received).toContainEqual({ event: 'qr', payload: { back: true } });
    isOver = true;
    await load;
    expect(new Set(moved)).toEqual(new Set([200]));
    expect(await env.balance(member)).toBe(1_000_000_000n - 10_000n * BigInt(moved.length));
    expect(await verifyLedger(env.pool)).toEqual([]);
  });

  test('do not wait for a Redis that does not respond', { timeout: 60_000 }, async () => {
    const member = await env.member({ amountMinor: 1_000_000n });
    redis.freeze();
    for (let time = 0; time < 5; time++) {
      expect((await withdraw(env.url, member.token)).status).toBe(200);
      expect((await logIn(other.url)).status).toBe(200);
    }
    const screen = await open(other.url, member.token);
    expect(screen.socket.connected).toBe(true);
    redis.thaw();
    await expect.poll(() => ready(env.url), { timeout: 20_000 }).toEqual({ status: 'ready' });
  });
});
