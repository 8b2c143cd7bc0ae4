import { codeOf } from '@krapao/ui/api/api-error.ts';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { sessionToken } from '../../platform/session.ts';
import { clearStored, readStored, writeStored } from '../../platform/storage.ts';

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
 * deleted; one that the server no longer accepts is replaced by a new one.
 */
export async function asCustomer<T>(call: (who: { guestId?: string }) => Promise<T>): Promise<T> {
  const isMember = sessionToken() !== null;
  const used = isMember ? readStored('guest-id') : guestId();
  try {
    const response = await call(used ? { guestId: used } : {});
    if (isMember) forget(used);
    return response;
  } catch (error) {
    if (!used || codeOf(error) !== 'INVALID_USER_INFO') throw error;
    forget(used);
    return call(isMember ? {} : { guestId: guestId() });
  }
}

function forget(used: string | null): void {
  if (used && readStored('guest-id') === used) clearStored('guest-id');
}
