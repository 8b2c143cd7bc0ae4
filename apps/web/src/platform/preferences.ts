import { readCookie } from './storage.ts';

export type Theme = 'light' | 'dark' | 'system';

/** The chosen theme; the cookie lets the server write it into the page before the first paint. */
export function readTheme(): Theme {
  const stored = readCookie('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Writes the theme onto the document; the style sheet does the rest. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
