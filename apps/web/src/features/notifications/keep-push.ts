import type { Language } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { useEffect } from 'react';
import { api } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { sessionToken } from '../../platform/session.ts';
import { readStored } from '../../platform/storage.ts';
import { subscribeBrowser, unsubscribeBrowser } from './browser-push.ts';

/**
 * Subscribes this browser for the session, in the language of now. Returns false without the reader's permission, and
 * when the session has ended, in this tab or another: the browser is then not subscribed.
 */
export async function subscribeHere(publicKey: string): Promise<boolean> {
  const token = sessionToken();
  const subscription = await subscribeBrowser(publicKey);
  if (!subscription) return false;
  if (token === null || readStored('token') !== token) {
    await unsubscribeBrowser();
    return false;
  }
  await api('POST /api/push/subscription', { body: { ...subscription, language: i18n.locale as Language } });
  return true;
}

/**
 * A browser may have changed its address since, and the reader their language: who has turned it on is subscribed again.
 * Shows no prompt to a reader who has not. Does nothing once another language than `language` is shown.
 */
export async function keepPush(language: Language): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const { isOn, publicKey } = await api('GET /api/push');
  if (isOn && publicKey !== null && i18n.locale === language) await subscribeHere(publicKey);
}

/** Keeps this browser subscribed: when the app opens, and again in each language that is chosen. */
export function useKeptPush(): void {
  const { language } = useText();
  useEffect(() => {
    keepPush(language).catch(() => undefined);
  }, [language]);
}
