import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { consoleApp } from '../testing/console-app.tsx';
import { type Key, useGoKeys, useKeys } from './keys.ts';

const app = await consoleApp();
const pressed: string[] = [];
const note = (key: string) => () => void pressed.push(key);

function Page() {
  const keys: Key[] = ['j', 'a', 'X', '?', '/', '['];
  useKeys(Object.fromEntries(keys.map((key) => [key, note(key)])));
  useGoKeys({ w: note('go w') });
  return <input aria-label="text" />;
}

/** Keys as a browser reports them: on a Thai layout, and on a Lao one. */
test.each([
  ['j', [{ key: '่', code: 'KeyJ' }]],
  ['a', [{ key: 'ຟ', code: 'KeyA' }]],
  [
    'X',
    [
      { key: ')', code: 'KeyX', shiftKey: true },
      { key: 'ป', code: 'KeyX', shiftKey: true },
    ],
  ],
  ['?', [{ key: 'ฦ', code: 'Slash', shiftKey: true }]],
  ['/', [{ key: 'ฝ', code: 'Slash' }]],
  ['[', [{ key: 'บ', code: 'BracketLeft' }]],
  [
    'go w',
    [
      { key: 'เ', code: 'KeyG' },
      { key: 'ไ', code: 'KeyW' },
    ],
  ],
  // On a Latin layout the letter counts, wherever it is.
  ['a', [{ key: 'a', code: 'KeyQ' }]],
])('%s is pressed by its place where the layout has no Latin letter', (key, events) => {
  pressed.length = 0;
  app.show(<Page />);
  for (const event of events) fireEvent.keyDown(document, event);
  expect(pressed).toEqual([key]);
});

test('a letter typed into a field does nothing else', () => {
  pressed.length = 0;
  app.show(<Page />);
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'ฟ', code: 'KeyA' });
  expect(pressed).toEqual([]);
});
