import { config } from './config.ts';
import { readCookie, writeCookie } from './storage.ts';

export type Theme = 'light' | 'dark' | 'system';

/** The chosen theme; the cookie lets the server write it into the page before the first paint. */
export function readTheme(): Theme {
  const stored = readCookie('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies a theme and keeps it; `system` needs no cookie. */
export function chooseTheme(theme: Theme): void {
  writeCookie('theme', theme === 'system' ? null : theme, config.isFramed);
  applyTheme(theme);
}

/** Writes the theme onto the document; the style sheet does the rest. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

/** Whether the member hides their balances. */
export const readBalanceHidden = (): boolean => readCookie('balance') === 'hidden';

/** Keeps that choice. */
export const writeBalanceHidden = (isHidden: boolean): void =>
  writeCookie('balance', isHidden ? 'hidden' : null, config.isFramed);
