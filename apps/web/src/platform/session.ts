import { ApiError } from '@krapao/ui/api/api-error.ts';
import { navigate } from 'wouter/use-browser-location';
import { clearStored, readStored, writeStored } from './storage.ts';

let held = readStored('token');

/**
 * The bearer token of this page, or null for a visitor: the one it was loaded with, or received at its login. A login in
 * another tab does not change it.
 */
export const sessionToken = (): string | null => held;

/** Whether another tab has replaced or removed the token of this page. The page is then loaded again. */
function isReplaced(): boolean {
  const isOther = held !== null && readStored('token') !== held;
  if (isOther) location.replace('/user');
  return isOther;
}
globalThis.addEventListener?.('storage', isReplaced);

/** The token to send a call with. Throws when another tab has replaced it: nothing of that page may be sent any more. */
export function tokenToSend(): string | null {
  if (isReplaced()) throw new ApiError('invalid-token', {}, 401);
  return held;
}

const changes = new Set<() => void>();
const endings = new Set<() => void>();

/** Called whenever another member or none is logged in. Returns the way to stop. */
export function onSessionChange(listener: () => void): () => void {
  changes.add(listener);
  return () => changes.delete(listener);
}

/** Keeps the token: for good with remember-me, otherwise until the browser closes the tab. */
export function startSession(token: string, isRemembered: boolean): void {
  clearStored('token', held);
  held = token;
  writeStored('token', token, isRemembered);
  for (const listener of changes) listener();
}

/** Called whenever the session ends, so that what was loaded for the member is dropped. Returns the way to stop. */
export function onSessionEnd(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/** Forgets the token, what was loaded for it, and who talked to support. The accepted agreement and the language stay. */
export function clearSession(): void {
  clearStored('token', held);
  held = null;
  clearStored('guest-id');
  clearStored('last_sync');
  for (const listener of [...endings, ...changes]) listener();
}

/** Ends the session and shows another page in place of this one. */
export function leaveSession(to: '/login' | '/terminated'): void {
  clearSession();
  navigate(to, { replace: true });
}

/** Leaves the session whose token was refused. A later session of this page or of another tab goes on. */
export function leaveRefused(token: string | null, to: '/login' | '/terminated'): void {
  if (token === held && !isReplaced()) leaveSession(to);
}
