/**
 * Chance. With a seed every draw comes from sfc32 (Chris Doty-Humphrey's small fast counter generator, public
 * domain), so the same seed and the same calls give the same run; without one it comes from the system.
 */
import { randomBytes } from 'node:crypto';
import type { Environment } from './environment.ts';
import { changed } from './environment.ts';

/** Starts the generator over from a seed, or hands chance back to the system with null. */
export function setSeed(environment: Environment, seed: number | null): void {
  environment.state.seed = seed;
  environment.state.random = seed === null ? null : [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1];
  // The first outputs still show the seed's pattern; sfc32's author discards twelve.
  if (seed !== null) for (let round = 0; round < 12; round++) word(environment);
  changed(environment);
}

function word(environment: Environment): number {
  const words = environment.state.random;
  if (!words) return randomBytes(4).readUInt32BE();
  const [a, b, c, counter] = words;
  const sum = (((a + b) | 0) + counter) | 0;
  words[0] = b ^ (b >>> 9);
  words[1] = (c + (c << 3)) | 0;
  words[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
  words[3] = (counter + 1) | 0;
  return sum >>> 0;
}

/** A fair whole number from 0 to `below` − 1; draws again rather than lean to small numbers. */
export function drawBelow(environment: Environment, below: number): number {
  const limit = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const value = word(environment);
    if (value < limit) return value % below;
  }
}

/** A fair number from 0 (included) to 1 (excluded). */
export const drawFraction = (environment: Environment): number => word(environment) / 2 ** 32;

/** `length` characters, each drawn from `alphabet`. */
export const drawText = (environment: Environment, length: number, alphabet = '0123456789abcdef'): string =>
  Array.from({ length }, () => alphabet[drawBelow(environment, alphabet.length)]).join('');
