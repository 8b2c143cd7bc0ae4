import { describe, expect, test } from 'vitest';
import { draw } from './draw.ts';

const DRAWS = 100_000;

describe('a draw', () => {
  test('of 100,000 agrees with the weights', () => {
    const weights = [1, 0, 5, 94, 400, 500];
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const counts = weights.map(() => 0);
    for (let i = 0; i < DRAWS; i++) counts[draw(weights)!]! += 1;
    const chi = weights.reduce((sum, weight, i) => {
      const expected = (weight / total) * DRAWS;
      return expected === 0 ? sum : sum + (counts[i]! - expected) ** 2 / expected;
    }, 0);
    expect(counts[1]).toBe(0);
    // Four degrees of freedom: beyond this once in a million runs.
    expect(chi).toBeLessThan(33.4);
  });

  test('hits every whole number below the sum once', () => {
    const weights = [2, 0, 3, 1];
    expect([0, 1, 2, 3, 4, 5].map((at) => draw(weights, () => at))).toEqual([0, 0, 2, 2, 2, 3]);
  });

  test('of nothing is nothing', () => {
    expect(draw([])).toBeNull();
    expect(draw([0, 0])).toBeNull();
  });
});
