/** Reproducible random choices. */
export interface Chance {
  /** Returns true with this probability. */
  is(probability: number): boolean;
  between(from: number, to: number): number;
  pick<T>(some: readonly T[]): T;
}

/** Returns random choices that depend on the seed alone (a linear congruential generator, constants of Numerical Recipes). */
export function seededChance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  return {
    is: (probability) => next() < probability,
    between: (from, to) => from + next() * (to - from),
    pick: (some) => some[Math.floor(next() * some.length)]!,
  };
}
