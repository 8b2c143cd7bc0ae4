import { expect, test } from 'vitest';
import { mayBePicture } from './picture-file.ts';

const MEGABYTE = 1024 * 1024;

test.each([
  ['slip.jpg', 1, true],
  ['สลิป.PNG', 10 * MEGABYTE, true],
  ['a.b.webp', 5, true],
  ['photo.jpeg', 10 * MEGABYTE + 1, false],
  ['slip.pdf', 5, false],
  ['slip.txt', 5, false],
  ['jpg', 5, false],
  ['empty.png', 0, false],
])('%s of %d bytes may be a picture: %s', (name, size, expected) => {
  expect(mayBePicture({ name, size }, 10)).toBe(expected);
});
