import { afterEach, expect, test, vi } from 'vitest';
import { i18n } from './i18n.ts';
import { chooseLanguage } from './language.ts';

/** The files of each language arrive when the test lets them. */
const files = vi.hoisted(() => new Map<string, () => void>());
vi.mock('./messages.ts', () => ({
  loadMessages: (language: string) =>
    new Promise((resolve) => files.set(language, () => resolve({ 'nav.language': language }))),
}));
afterEach(() => localStorage.clear());

test('of two choices the last one is shown, whichever file arrives last', async () => {
  const choices = [chooseLanguage('la'), chooseLanguage('en')];
  files.get('en')!();
  files.get('la')!();
  await Promise.all(choices);
  expect([i18n.locale, localStorage.getItem('locale')]).toEqual(['en', 'en']);
});
