import { navigate } from 'wouter/use-browser-location';
import { clearStored, readStored, writeStored } from './storage.ts';

/** The bearer token, or null for a visitor. */
export const sessionToken = (): string | null => readStored('token');

const changes = new Set<() => void>();
const endings = new Set<() => void>();

/** Called whenever another member or none is logged in. Returns the way to stop. */
export function onSessionChange(listener: () => void): () => void {
  changes.add(listener);
  return () => changes.delete(listener);
}

/** Keeps the token: for good with remember-me, otherwise until the browser closes the tab. */
export function startSession(token: string, isRemembered: boolean): void {
  clearStored('token');
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
  clearStored('token');
  clearStored('guest-id');
  clearStored('last_sync');
  for (const listener of [...endings, ...changes]) listener();
}

/** Ends the session and shows another page in place of this one. */
export function leaveSession(to: '/login' | '/terminated'): void {
  clearSession();
  navigate(to, { replace: true });
}
