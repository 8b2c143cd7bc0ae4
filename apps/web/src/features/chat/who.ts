import type { MemberApi } from '@krapao/contract/member';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { type ApiSettings, createApi } from '@krapao/ui/api/client.ts';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { apiSettings } from '../../platform/api.ts';
import { sessionToken } from '../../platform/session.ts';
import { clearStored, readStored, writeStored } from '../../platform/storage.ts';

/** The token of a suspended member, which the server takes on no call; their chat goes on as a guest's. */
let barred: string | null = null;
const readers = new Set<() => void>();

/** Called when a member turns out to be suspended. Returns the way to stop. */
export function onBarred(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Whether the customer of this page is a guest: a visitor, or a suspended member. */
export const isGuest = (): boolean => sessionToken() === null || sessionToken() === barred;

/** How the chat speaks to the server: a suspended member's calls leave their token out. */
export const chatSettings: ApiSettings = {
  ...apiSettings,
  token: () => {
    const token = apiSettings.token();
    return token === barred ? null : token;
  },
};

/** Every call of a customer's conversation. */
export const chatApi = createApi<MemberApi>(chatSettings);

/** The guest's secret, made when it is first needed. */
export function guestId(): string {
  const known = readStored('guest-id');
  if (known) return known;
  const made = randomKey();
  writeStored('guest-id', made);
  return made;
}

/** Whether a conversation can exist: for a member, or a guest who has opened the panel before. */
export const hasConversation = (): boolean => sessionToken() !== null || readStored('guest-id') !== null;

/**
 * Calls as the customer. A member's messages as a guest become theirs with the first call, and the secret is
 * deleted; one that the server no longer accepts is replaced by a new one. A suspended member calls as a guest.
 */
export async function asCustomer<T>(call: (who: { guestId?: string }) => Promise<T>): Promise<T> {
  const token = sessionToken();
  const isMember = !isGuest();
  const used = isMember ? readStored('guest-id') : guestId();
  try {
    const response = await call(used ? { guestId: used } : {});
    if (isMember) forget(used);
    return response;
  } catch (error) {
    if (isMember && codeOf(error) === 'INACTIVE_USER') {
      barred = token;
      for (const reader of readers) reader();
      return call({ guestId: guestId() });
    }
    if (!used || codeOf(error) !== 'INVALID_USER_INFO') throw error;
    forget(used);
    return call(isMember ? {} : { guestId: guestId() });
  }
}

function forget(used: string | null): void {
  if (used && readStored('guest-id') === used) clearStored('guest-id');
}
