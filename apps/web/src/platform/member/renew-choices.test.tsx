import { expect, test, vi } from 'vitest';
import { memberApp } from '../../testing/member-app.tsx';
import { readCookie, writeCookie, writeStored } from '../storage.ts';
import { renewChoices } from './renew-choices.ts';

await memberApp();

test('the choices of the device are written again, and the language comes back from the store', () => {
  writeCookie('theme', 'dark', false);
  writeStored('locale', 'la');
  const written = vi.spyOn(document, 'cookie', 'set');
  renewChoices();
  const names = written.mock.calls.map(([cookie]) => cookie.split(';')[0]);
  written.mockRestore();
  expect(names).toEqual(['theme=dark', 'language=LA']);
  expect([readCookie('theme'), readCookie('language')]).toEqual(['dark', 'LA']);
});
