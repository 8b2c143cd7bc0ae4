import { MINUTE_MS } from '@krapao/contract/durations';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../testing/test-env.ts';
import { testDatabase } from './database/testing.ts';
import { noRedis, type RedisServer, startRedisServer } from './fixtures/redis-server.ts';
import { databaseLimits, type Limits, redisLimits, requireWithinLimit } from './limits.ts';
import { openRedis, type Redis } from './redis.ts';

if (noRedis) console.warn(`SKIPPED: limits counted in Redis. ${noRedis}.`);

const { app } = await testDatabase();
const inDatabase = databaseLimits(app);
let serial = 0;
const windowOf = (max: number, ms = MINUTE_MS) => ({ key: `test:${++serial}`, max, ms });
const fit = async (limits: Limits, window: ReturnType<typeof windowOf>, times: number): Promise<number> => {
  const fits = await Promise.all(Array.from({ length: times }, () => limits.fits(window, new Date())));
  return fits.filter(Boolean).length;
};

/** What holds wherever limits are counted. */
function holds(limits: () => Limits): void {
  test('of parallel events no more fit than the maximum', async () => {
    const window = windowOf(7);
    expect(await fit(limits(), window, 50)).toBe(7);
    expect(await limits().fits(window, new Date())).toBe(false);
  });

  test('an amount is added when it fits and only then', async () => {
    const window = windowOf(10);
    const spend = (amount: number) => limits().spend(window, amount, new Date());
    expect([await spend(6), await spend(5), await spend(4), await spend(1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(await limits().spend(windowOf(10), 11, new Date())).toBe(false);
  });

  test('an event that is given back makes room for another, and nothing falls below zero', async () => {
    const window = windowOf(1);
    await limits().giveBack(window.key);
    expect(await fit(limits(), window, 2)).toBe(1);
    await limits().giveBack(window.key);
    await limits().giveBack(window.key);
    expect(await fit(limits(), window, 3)).toBe(1);
  });

  test('a window closes after its time, however often it was tried', async () => {
    const window = windowOf(1, 400);
    expect(await fit(limits(), window, 1)).toBe(1);
    expect(await limits().fits(window, new Date())).toBe(false);
    await expect.poll(() => limits().fits(window, new Date())).toBe(true);
  });

  test('what does not fit is refused with the minutes until the window closes', async () => {
    const window = windowOf(1, 5 * MINUTE_MS);
    expect(await limits().closesAt(window.key, new Date())).toBeNull();
    await requireWithinLimit(limits(), window, new Date());
    const refused = requireWithinLimit(limits(), window, new Date());
    await expect(refused).rejects.toMatchObject({ code: 'REQUEST_LIMIT', data: { minutes: 5 } });
  });

  test('one that extends closes when it was quiet for its time', async () => {
    const window = { key: `test:${++serial}`, ms: 60_000, extends: true };
    expect(await limits().count(window, new Date())).toBe(1);
    expect(await limits().count({ ...window, ms: 400 }, new Date())).toBe(2);
    await expect.poll(() => limits().count({ ...window, ms: 400 }, new Date()), { interval: 500 }).toBe(1);
  });
}

describe('counted in the database', () => holds(() => inDatabase));

describe.skipIf(noRedis)('counted in Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  const seen: (string | null)[] = [];
  const rows = async () => (await app.query('select count(*)::int as count from throttle')).rows[0].count;

  beforeAll(async () => {
    server = await startRedisServer();
    redis = openRedis(server.url, 'test', (error) => seen.push(error && 'lost'));
    await until(async () => redis.isUp());
  });
  afterEach(() => server.thaw());
  afterAll(async () => {
    redis.close();
    await server.remove();
  });
  const inRedis = () => redisLimits(redis, inDatabase);

  holds(inRedis);

  test('nothing is written to the database', async () => {
    const before = await rows();
    await fit(inRedis(), windowOf(5), 20);
    await inRedis().spend(windowOf(5), 3, new Date());
    expect(await rows()).toBe(before);
  });

  test('two installations on one Redis do not meet', async () => {
    const other = openRedis(server.url, 'other', () => undefined);
    await expect.poll(() => other.isUp()).toBe(true);
    const window = windowOf(1);
    expect(await fit(inRedis(), window, 1)).toBe(1);
    expect(await fit(redisLimits(other, inDatabase), window, 1)).toBe(1);
    other.close();
  });

  test('one that does not answer is not waited for: the database counts', { timeout: 60_000 }, async () => {
    const window = windowOf(2);
    server.freeze();
    expect(await fit(inRedis(), window, 5)).toBe(2);
    server.thaw();
  });

  test('one that is killed is noticed, the database counts meanwhile, and the next one counts again', async () => {
    await expect.poll(() => redis.isUp(), { timeout: 20_000 }).toBe(true);
    seen.length = 0;
    await server.kill();
    await expect.poll(() => redis.isUp()).toBe(false);
    await expect(redis.check()).rejects.toThrow('Redis does not respond');
    expect(seen).toEqual(['lost']);
    const before = await rows();
    expect(await fit(inRedis(), windowOf(3), 9)).toBe(3);
    expect(await rows()).toBe(before + 1);
    await server.start();
    await expect.poll(() => redis.isUp(), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => seen).toEqual(['lost', null]);
    expect(await fit(inRedis(), windowOf(3), 9)).toBe(3);
    expect(await rows()).toBe(before + 1);
  });

  test('one that is not there yet does not keep anybody waiting', { timeout: 60_000 }, async () => {
    await server.kill();
    const late = openRedis(server.url, 'late', () => undefined);
    expect(await fit(redisLimits(late, inDatabase), windowOf(1), 2)).toBe(1);
    await server.start();
    await expect.poll(() => late.isUp(), { timeout: 20_000 }).toBe(true);
    late.close();
  });
});
