/** Fewest full turns of a spin. */
const TURNS = 3;

/**
 * How far the wheel is turned, in degrees, so that after at least three full turns from its position slice `index`
 * of `count` stops under the pointer at the top. Slices follow each other clockwise, the first one centred at the top.
 */
export function turnTo(from: number, index: number, count: number): number {
  const rest = -(index * 360) / count;
  const onward = (((rest - from) % 360) + 360) % 360;
  return from + TURNS * 360 + onward;
}

/** Which slice is under the pointer of a wheel turned so far. */
export function sliceAt(turned: number, count: number): number {
  const step = 360 / count;
  return Math.round((((-turned % 360) + 360) % 360) / step) % count;
}

/** Letters as wide as they are drawn: vowels and marks above and below take no room. */
const widthOf = (line: string): number => line.replace(/\p{M}/gu, '').length;

const LARGEST = 20;
const SMALLEST = 9;
/** Width of a letter in parts of the type's size. */
const LETTER = 0.68;

/** A slice's label in one line or two, and the size at which it fits between the slice's edges. */
export function labelLines(label: string, count: number): { lines: string[]; size: number } {
  const pageName = Math.min(96, 2 * 96 * Math.sin(Math.PI / Math.max(3, count)) * 0.94);
  const fit = (lines: string[]) =>
    Math.max(SMALLEST, Math.min(LARGEST, pageName / (LETTER * Math.max(1, ...lines.map(widthOf)))));
  const one = [label];
  const middle = label.length / 2;
  const cut = [...label.matchAll(/\s/g)]
    .map(({ index }) => index)
    .toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  if (fit(one) >= 13 || cut === undefined) return { lines: one, size: fit(one) };
  const two = [label.slice(0, cut), label.slice(cut + 1)];
  return { lines: two, size: Math.min(16, fit(two)) };
}
