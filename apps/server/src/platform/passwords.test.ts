import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { checkPassword, hashPassword, PasswordsBusy, passwordLanes } from './passwords.ts';

const member = (address: string | null = null) => ({ lane: 'member' as const, address });
const operator = (address: string | null = null) => ({ lane: 'operator' as const, address });
const password = () => randomBytes(8).toString('hex');
const settled = async (work: Promise<unknown>[]) => {
  const results = await Promise.allSettled(work);
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  for (const error of refused) expect(error).toBeInstanceOf(PasswordsBusy);
  // On a busy machine some are late as well.
  const count = (reason: string) =>
    refused.filter(({ message }) => message === `passwords: ${reason}`).length;
  return {
    taken: results.length - count('full') - count('caller'),
    full: count('full'),
    caller: count('caller'),
  };
};

afterEach(() => {
  for (const state of Object.values(passwordLanes())) expect(state).toMatchObject({ running: 0, waiting: 0 });
});

test('a password fits its hash and no other, and nothing fits no hash', async () => {
  const hash = await hashPassword('right', operator('192.0.2.1'));
  expect(await checkPassword(hash, 'right', member('192.0.2.1'))).toBe(true);
  expect(await checkPassword(hash, 'wrong', member('192.0.2.1'))).toBe(false);
  expect(await checkPassword(null, 'right', member('192.0.2.1'))).toBe(false);
});

test('a flood of members leaves operators the place that is theirs', async () => {
  const order: string[] = [];
  const flood = Array.from({ length: 60 }, () =>
    hashPassword(password(), member()).then(() => order.push('member')),
  );
  await hashPassword(password(), operator('192.0.2.2')).then(() => order.push('operator'));
  // Two places of three are the members': while the operator's one is hashed they finish some, never all.
  expect(order.indexOf('operator')).toBeLessThan(30);
  await Promise.allSettled(flood);
});

test('a lane takes so many and no more, and says so at once', async () => {
  const before = { ...passwordLanes().member.refused };
  const flood = Array.from({ length: 210 }, () => hashPassword(password(), member()));
  expect(passwordLanes().member).toMatchObject({ running: 2, waiting: 200 });
  expect(await settled(flood)).toEqual({ taken: 202, full: 8, caller: 0 });
  expect(passwordLanes().member.refused.full - before.full).toBe(8);
});

test('one caller holds only their share of a lane, an IPv6 network as one', async () => {
  const flood = Array.from({ length: 60 }, (_, at) =>
    hashPassword(password(), member(`2001:db8:1:2::${at}`)),
  );
  const other = hashPassword(password(), member('2001:db8:1:3::1'));
  expect(await settled(flood)).toEqual({ taken: 50, full: 0, caller: 10 });
  expect(await other).toMatch(/^\$argon2id/);
  // What was finished counts no longer.
  expect(await settled([hashPassword(password(), member('2001:db8:1:2::1'))])).toMatchObject({ taken: 1 });
});
