import { randomInt } from 'node:crypto';

/**
 * Draws a position by integer weights: each is as likely as its share of their sum, 0 never comes. Null when nothing
 * can be drawn. @param random uniform whole numbers below its argument, of the secure generator by default
 */
export function draw(
  weights: readonly number[],
  random: (below: number) => number = randomInt,
): number | null {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0) return null;
  let rest = random(total);
  for (const [position, weight] of weights.entries()) {
    if (rest < weight) return position;
    rest -= weight;
  }
  throw new Error(`drew ${rest} beyond ${total}`);
}
