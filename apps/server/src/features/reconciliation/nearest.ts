/** Something with the time it lasted, in ms, and its place in the order that decides between equals. */
export interface Timed {
  place: number;
  since: number;
  until: number;
}

/** The time a row has to meet: it lasted into [from, to], and ended as near to `at` as possible. */
export interface Wanted {
  at: number;
  from: number;
  to: number;
}

/** Index of the first of some ascending numbers that is not below a value. */
function lowerBound(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A binary tree over numbers that finds the next or previous one that is small enough, each in a number of steps that
 * grows with the logarithm of their count.
 */
function leastTree(values: readonly number[]) {
  let size = 1;
  while (size < values.length) size *= 2;
  /** The children of a node n are 2n and 2n + 1; a node has the least number below it. */
  const least = new Float64Array(2 * size).fill(Number.POSITIVE_INFINITY);
  least.set(values, size);
  const join = (node: number) => {
    least[node] = Math.min(least[2 * node]!, least[2 * node + 1]!);
  };
  for (let node = size - 1; node > 0; node--) join(node);
  const fits = (node: number, most: number): boolean => least[node]! <= most;
  return {
    remove(index: number): void {
      let node = size + index;
      least[node] = Number.POSITIVE_INFINITY;
      for (node >>= 1; node > 0; node >>= 1) join(node);
    },
    /** The first index from `start` on whose number is at most `most`; null without one. */
    next(start: number, most: number): number | null {
      if (start >= size) return null;
      let node = size + start;
      while (!fits(node, most)) {
        while (node % 2 === 1) node >>= 1;
        if (node === 0) return null;
        node += 1;
      }
      while (node < size) node = fits(2 * node, most) ? 2 * node : 2 * node + 1;
      return node - size;
    },
    /** The last index up to `end` whose number is at most `most`; null without one. */
    previous(end: number, most: number): number | null {
      if (end < 0) return null;
      let node = size + end;
      while (!fits(node, most)) {
        while (node % 2 === 0) node >>= 1;
        if (node === 1) return null;
        node -= 1;
      }
      while (node < size) node = fits(2 * node + 1, most) ? 2 * node + 1 : 2 * node;
      return node - size;
    },
  };
}

/** Whether the first row is nearer; of two equally near ones the one with the lower place is. */
export const isNearer = (first: Timed, second: Timed, at: number): boolean => {
  const gap = Math.abs(first.until - at) - Math.abs(second.until - at);
  return gap < 0 || (gap === 0 && first.place < second.place);
};

/**
 * Sorts rows by time once and returns a function that finds the free row nearest to a time. A row that is not free any
 * more never becomes free again. A search takes a number of steps that grows with the logarithm of the number of rows.
 */
export function nearestOf<Row extends Timed>(
  rows: readonly Row[],
  isFree: (row: Row) => boolean,
): (wanted: Wanted) => Row | null {
  const sorted = rows.toSorted((a, b) => a.until - b.until || a.place - b.place);
  const ends = Float64Array.from(sorted, ({ until }) => until);
  const tree = leastTree(sorted.map(({ since }) => since));
  /** Repeats a search until it finds a free row; taken rows that it meets leave the tree. */
  const free = (find: () => number | null): number | null => {
    for (;;) {
      const index = find();
      if (index === null || isFree(sorted[index]!)) return index;
      tree.remove(index);
    }
  };
  return ({ at, from, to }) => {
    const middle = lowerBound(ends, at);
    const later = free(() => tree.next(middle, to));
    const last = free(() => tree.previous(middle - 1, to));
    const found = later === null ? null : sorted[later]!;
    if (last === null || ends[last]! < from) return found;
    // Of several rows with this end the first counts.
    const first = free(() => tree.next(lowerBound(ends, ends[last]!), to))!;
    const earlier = sorted[first]!;
    return found === null || isNearer(earlier, found, at) ? earlier : found;
  };
}
