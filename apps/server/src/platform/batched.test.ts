import { expect, test } from 'vitest';
import { batched } from './batched.ts';

test('concurrent callers share one statement, and each gets the value of its own key', async () => {
  const loads: number[][] = [];
  const double = batched<number, number>(async (keys) => {
    loads.push([...keys]);
    return keys.map((key) => key * 2);
  });
  expect(await Promise.all([double(3), double(1), double(3)])).toEqual([6, 2, 6]);
  expect(loads).toEqual([[3, 1, 3]]);
});

test('one statement reads at most 200 keys', async () => {
  const sizes: number[] = [];
  const same = batched<number, number>(async (keys) => {
    sizes.push(keys.length);
    return keys;
  });
  const keys = Array.from({ length: 450 }, (_, key) => key);
  expect(await Promise.all(keys.map(same))).toEqual(keys);
  expect(sizes).toEqual([200, 200, 50]);
});

test('a failed statement rejects every waiting caller, and the next call loads again', async () => {
  let isAway = true;
  const same = batched<number, number>(async (keys) => {
    if (isAway) throw new Error('away');
    return keys;
  });
  const responses = await Promise.allSettled(Array.from({ length: 201 }, (_, key) => same(key)));
  expect(responses.every(({ status }) => status === 'rejected')).toBe(true);
  isAway = false;
  expect(await same(7)).toBe(7);
});
