import { describe, expect, test } from 'vitest';
import { labelLines, sliceAt, turnTo } from './wheel-turn.ts';

describe('a spin', () => {
  test('ends on the given slice from any position, after three turns or more', () => {
    for (const count of [2, 3, 7, 8, 12])
      for (let index = 0; index < count; index++) {
        let turned = 0;
        for (const next of [index, 0, index, count - 1]) {
          const to = turnTo(turned, next, count);
          expect(to - turned).toBeGreaterThanOrEqual(3 * 360);
          expect(to - turned).toBeLessThan(4 * 360);
          expect(sliceAt(to, count)).toBe(next);
          turned = to;
        }
      }
  });
});

describe('a label', () => {
  test('is as large as its slice has room for, marks not counted', () => {
    expect(labelLines('฿10', 8)).toEqual({ lines: ['฿10'], size: 20 });
    expect(labelLines('ครั้งหน้า', 8).size).toBeGreaterThan(15);
    expect(labelLines('x'.repeat(80), 8).size).toBe(9);
  });

  test('breaks into two lines at the space nearest its middle when one is too small', () => {
    expect(labelLines('Try again next time', 8).lines).toEqual(['Try again', 'next time']);
    expect(labelLines('1 coin', 8).lines).toEqual(['1 coin']);
  });
});
