import { readStored, writeStored } from '../../platform/storage.ts';

const given = (search: string): string => new URLSearchParams(search).get('code')?.trim().slice(0, 80) ?? '';

/** Keeps the inviter's code of an address for later visits; an address without one changes nothing. */
export function keepInviteCode(search: string): void {
  const code = given(search);
  if (code) writeStored('code', code);
}

/** The inviter's code: from the address it can be changed; from an earlier visit it cannot. */
export function inviteCode(search: string): { code: string; isLocked: boolean } {
  const code = given(search);
  if (code) return { code, isLocked: false };
  const stored = readStored('code');
  return { code: stored ?? '', isLocked: Boolean(stored) };
}
