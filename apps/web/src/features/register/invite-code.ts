import { readStored, writeStored } from '../../platform/storage.ts';

/**
 * The inviter's code: from the address it can be changed and is kept for later visits; from an earlier visit it
 * cannot.
 */
export function inviteCode(search: string): { code: string; isLocked: boolean } {
  const given = new URLSearchParams(search).get('code')?.trim().slice(0, 80);
  if (given) {
    writeStored('code', given);
    return { code: given, isLocked: false };
  }
  const kept = readStored('code');
  return { code: kept ?? '', isLocked: Boolean(kept) };
}
