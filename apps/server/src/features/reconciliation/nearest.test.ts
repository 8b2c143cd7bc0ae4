import { expect, test } from 'vitest';
import { nearestOf, type Timed } from './nearest.ts';

/** What the search has to find: of the free rows that last into the span, the nearest, then the first. */
function expected(rows: readonly Timed[], wanted: { at: number; from: number; to: number }): Timed | null {
  const fitting = rows.filter(({ since, until }) => since <= wanted.to && until >= wanted.from);
  const away = ({ until }: Timed) => Math.abs(until - wanted.at);
  return fitting.toSorted((a, b) => away(a) - away(b) || a.place - b.place)[0] ?? null;
}

/** Whole numbers below a bound, the same at each run. */
function numbers(): (bound: number) => number {
  let state = 12_345;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % bound;
  };
}

test('finds the nearest free row that lasted into the span, whatever was taken before', () => {
  const below = numbers();
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: below(20) }, (_, place) => {
      const until = below(30);
      return { place, until, since: until - below(12) };
    });
    const taken = new Set<Timed>();
    const nearest = nearestOf(rows, (row) => !taken.has(row));
    for (let search = 0; search < 25; search++) {
      const at = below(30);
      const wanted = { at, from: at - below(5), to: at + below(5) };
      const found = nearest(wanted);
      expect(found).toEqual(
        expected(
          rows.filter((row) => !taken.has(row)),
          wanted,
        ),
      );
      if (found) taken.add(found);
    }
  }
});

test('20,000 searches among 20,000 rows of one time check a few rows each', () => {
  const rows = Array.from({ length: 20_000 }, (_, place) => ({ place, since: 0, until: 0 }));
  const taken = new Set<Timed>();
  let checks = 0;
  const nearest = nearestOf(rows, (row) => {
    checks += 1;
    return !taken.has(row);
  });
  for (const { place } of rows) {
    const found = nearest({ at: 0, from: 0, to: 0 });
    expect(found?.place).toBe(place);
    taken.add(found!);
  }
  expect(checks).toBeLessThan(80_000);
});
