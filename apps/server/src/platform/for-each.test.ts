import { expect, test } from 'vitest';
import { forEachRow } from './for-each.ts';

test('every row is processed, also behind one that fails; the first failure is thrown at the end', async () => {
  const done: number[] = [];
  const work = async (row: number) => {
    if (row % 2 === 0) throw new Error(`row ${row}`);
    done.push(row);
  };
  await expect(forEachRow([1, 2, 3, 4, 5], work)).rejects.toThrow('row 2');
  expect(done).toEqual([1, 3, 5]);
});

test('at most so many rows are processed at once, and each once', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await forEachRow(
    Array.from({ length: 50 }, (_, at) => at),
    async (row) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      done.push(row);
    },
    7,
  );
  expect(most).toBe(7);
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at));
});
