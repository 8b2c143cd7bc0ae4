import { MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { accountMeter, addressMeters, takeAttempt } from './attempts.ts';
import { testDatabase } from './database/testing.ts';
import { databaseLimits } from './limits.ts';
import { readWindow } from './throttle.ts';

const { app } = await testDatabase();
const deps = { pool: app, limits: databaseLimits(app) };
const WINDOW_MS = 15 * MINUTE_MS;
let now = new Date('2026-11-23T00:00:00Z');
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const isLetIn = (meters: Parameters<typeof takeAttempt>[1]) =>
  takeAttempt(deps, meters, now).then(
    () => true,
    () => false,
  );
/** How many of so many tries in a moment are let in. */
const letIn = async (meters: Parameters<typeof takeAttempt>[1], tries: number) => {
  let count = 0;
  for (let at = 0; at < tries; at++) if (await isLetIn(meters)) count++;
  return count;
};

test('an account is slowed step by step as failures pile up, and a quiet window forgets them', async () => {
  const account = [accountMeter('account', WINDOW_MS)];
  // Ten are free, and the first of the slots that follow.
  expect(await letIn(account, 30)).toBe(11);
  for (let slot = 11; slot < 20; slot++) {
    later(10_000);
    expect(await letIn(account, 3)).toBe(1);
  }
  later(30_000);
  expect(await letIn(account, 3)).toBe(1);
  later(30_000);
  expect(await letIn(account, 3)).toBe(0);
  for (let slot = 21; slot < 50; slot++) {
    later(MINUTE_MS);
    expect(await letIn(account, 3)).toBe(1);
  }
  later(MINUTE_MS);
  expect(await letIn(account, 3)).toBe(1);
  later(4 * MINUTE_MS);
  expect(await letIn(account, 3)).toBe(0);
  later(WINDOW_MS);
  expect(await letIn(account, 30)).toBe(11);
});

test('a refused try names the minutes until the next is let in', async () => {
  const account = [accountMeter('waits', WINDOW_MS)];
  for (let failures = 0; failures < 50; failures++) {
    await isLetIn(account);
    later(MINUTE_MS);
  }
  await takeAttempt(deps, account, now);
  await expect(takeAttempt(deps, account, now)).rejects.toMatchObject({ data: { minutes: 5 } });
});

test('forty tries at once are let in no oftener than forty after each other', async () => {
  const account = [accountMeter('parallel', WINDOW_MS)];
  const responses = await Promise.all(Array.from({ length: 40 }, () => isLetIn(account)));
  expect(responses.filter(Boolean)).toHaveLength(11);
});

test('an address is counted over all accounts, an IPv6 site with its networks', async () => {
  const limit = { max: 5, ms: WINDOW_MS };
  expect(await letIn(addressMeters('login', '192.0.2.1', limit), 20)).toBe(6);
  expect(await letIn(addressMeters('login', '192.0.2.2', limit), 20)).toBe(6);
  let site = 0;
  for (let network = 0; network < 40; network++)
    site += await letIn(addressMeters('login', `2001:db8:7:${network.toString(16)}::1`, limit), 1);
  expect(site).toBe(21);
});

test('a refused try is counted nowhere, and a right one is given back', async () => {
  const meters = [
    ...addressMeters('both', '192.0.2.9', { max: 1, ms: WINDOW_MS }),
    accountMeter('both', WINDOW_MS),
  ];
  expect(await letIn(meters, 9)).toBe(2);
  const counts = async () => [
    (await readWindow(app, 'both:192.0.2.9', now)).count,
    (await readWindow(app, 'both', now)).count,
  ];
  expect(await counts()).toEqual([2, 2]);
  later(10_000);
  await (await takeAttempt(deps, meters, now)).giveBack();
  expect(await counts()).toEqual([2, 2]);
});
