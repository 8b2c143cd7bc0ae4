import { expect, test } from 'vitest';
import { readableUnderWhite } from './readable-color.ts';

test('a dark colour stays as it is', () => expect(readableUnderWhite('#4e2e7f')).toBe('#4e2e7f'));
test('a bright colour is darkened until white text can be read on it', () => {
  expect(readableUnderWhite('#138f2d')).toBe('#12862a');
  expect(readableUnderWhite('#fec43b')).not.toBe('#fec43b');
});
test('what is no colour becomes the quiet one', () => expect(readableUnderWhite('red')).toBe('#4c5d57'));
