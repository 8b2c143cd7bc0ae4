import { isDecided } from '@krapao/ui/api/decided.ts';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import type { SentCode } from './otp-form.tsx';
import { clearStored } from './storage.ts';
import { readForm, writeForm } from './stored-form.ts';

interface OpenRequest {
  purpose: 'register' | 'password';
  phone: string;
}

/**
 * Requests a one-time code under an id that is stored in this tab until the server has decided: a repeat after a lost
 * response, also after a reload, gets the same code instead of another SMS.
 */
export async function requestCode<Reply>(
  { purpose, phone }: OpenRequest,
  send: (requestId: string) => Promise<Reply>,
): Promise<Reply> {
  const subject = `${purpose} ${phone}`;
  const kept = readForm<{ subject: string; requestId: string }>('code-request');
  const requestId = kept?.subject === subject ? kept.requestId : randomKey();
  writeForm('code-request', { subject, requestId });
  try {
    const reply = await send(requestId);
    clearStored('code-request');
    return reply;
  } catch (error) {
    if (isDecided(error)) clearStored('code-request');
    throw error;
  }
}

const SECOND_MS = 1000;

/** Whether a code that was sent to this phone can still be typed. */
export const isOpen = (sent: SentCode | null, phone: string): sent is SentCode =>
  sent !== null && sent.phone === phone && sent.sentAt + sent.expiresIn * SECOND_MS > Date.now();
