import { navigate } from 'wouter/use-browser-location';
import { api } from './api.ts';
import { sessionToken } from './session.ts';

/**
 * Opens the support chat, about a reference where one is given: the message is written already, and sent by the reader.
 * Where operators do not offer the chat, opens the contact page.
 */
export async function openSupport(reference = ''): Promise<void> {
  // Without an answer the chat itself says what is wrong.
  const isOn = await api('GET /api/lookup/enableChatWidget').catch(() => true);
  if (!isOn) return navigate(sessionToken() === null ? '/contact' : '/user/contact');
  history.pushState({ chat: true, about: reference }, '');
}
