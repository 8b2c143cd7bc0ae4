import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUIDES } from './guides.ts';

/** The length in an MP4's header box: its time scale and its duration in that. */
function secondsOf(film: Buffer): number {
  const box = film.indexOf('mvhd');
  return film.readUInt32BE(box + 20) / film.readUInt32BE(box + 16);
}

test.each(GUIDES)('states the length of the film $name', ({ name, seconds }) => {
  const film = readFileSync(join(import.meta.dirname, `../../../public/howto/${name}.mp4`));
  expect(seconds).toBe(Math.round(secondsOf(film)));
});
