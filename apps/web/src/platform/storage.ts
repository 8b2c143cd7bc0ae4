/** Forms that outlive a reload of their tab. */
export type FormName = 'registration' | 'password-reset' | 'code-request';

/**
 * The browser's stores behind names that are fixed by the product: token, locale, remember-agreement, last_sync,
 * code, guest-id, and in the tab's own store the forms. A browser that forbids storage gets memory for as long as the
 * page lives.
 */
type Name = 'token' | 'locale' | 'remember-agreement' | 'last_sync' | 'code' | 'guest-id' | FormName;

const memory = new Map<string, string>();

function store(kind: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return globalThis[kind] ?? null;
  } catch {
    return null;
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The stored text, from this tab's store first, then from the lasting one, which all tabs share. early.js does the same. */
export function readStored(name: Name): string | null {
  return (
    attempt(() => store('sessionStorage')?.getItem(name)) ??
    attempt(() => store('localStorage')?.getItem(name)) ??
    memory.get(name) ??
    null
  );
}

/** Keeps a text for good, or for this session only. */
export function writeStored(name: Name, text: string, isLasting = true): void {
  const isStored = attempt(() => {
    const chosen = store(isLasting ? 'localStorage' : 'sessionStorage');
    chosen?.setItem(name, text);
    return chosen !== null;
  });
  if (!isStored) memory.set(name, text);
}

/** Forgets a text everywhere; with `own`, in the lasting store only if it is that text and not another tab's. */
export function clearStored(name: Name, own?: string | null): void {
  memory.delete(name);
  attempt(() => store('sessionStorage')?.removeItem(name));
  attempt(() => {
    const shared = store('localStorage');
    if (own === undefined || shared?.getItem(name) === own) shared?.removeItem(name);
  });
}

const YEAR_SECONDS = 31_536_000;

/** A cookie's text, or null. */
export function readCookie(name: string): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null;
}

/** Sets a cookie for a year; null removes it. Inside another site's frame only a cross-site cookie
 * is stored, in most browsers only one that belongs to that frame. */
export function writeCookie(name: string, text: string | null, isFramed: boolean): void {
  const age = text === null ? 0 : YEAR_SECONDS;
  const site = isFramed ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and in plain-HTTP pages
  document.cookie = `${name}=${encodeURIComponent(text ?? '')}; Path=/; Max-Age=${age}; ${site}`;
}
