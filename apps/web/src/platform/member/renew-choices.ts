import { config } from '../config.ts';
import { storedLanguage } from '../language.ts';
import { readCookie, writeCookie } from '../storage.ts';
import { requestPersistence } from './queries.ts';

/** Cookies of what the member chose on this device. */
const CHOICES = ['balance', 'seen-logins', 'theme'];

/**
 * Writes the cookies of the member's choices again: Safari keeps those that a page sets for seven days only. The
 * language, which the server reads, comes back from the store of the browser.
 * Source: https://webkit.org/tracking-prevention/
 */
export function renewChoices(): void {
  for (const name of CHOICES) {
    const text = readCookie(name);
    if (text !== null) writeCookie(name, text, config.isFramed);
  }
  const language = storedLanguage()?.toUpperCase();
  if (language === undefined) return;
  const isLost = readCookie('language') !== language;
  writeCookie('language', language, config.isFramed);
  // The server has written in another language until now.
  if (isLost) void requestPersistence();
}
