import type { DehydratedState } from '@tanstack/react-query';

/** The home screen as it was last shown to this session: what it read, and its markup while nothing newer is known. */
export interface StoredHome {
  state: DehydratedState;
  /** Digest of the schemas that the replies in `state` follow. */
  schemas: string;
  /** Undefined when the member last looked at another page. */
  markup?: string | undefined;
  /** What the markup was drawn for, see `lookOf`. */
  look: string;
}

/** What early.js, which runs before the app's own script, has begun for the session of `token`. */
interface Early {
  token: string;
  /** The response to GET /api/wallet, until it is taken. */
  response?: Promise<Response> | undefined;
  kept: Promise<StoredHome | undefined>;
}

function earlyOf(token: string | null): Early | undefined {
  const { early } = globalThis as { early?: Early };
  return early?.token === token ? early : undefined;
}

/** The response to GET /api/wallet that early.js has requested: once, and only for this session. */
export function takeEarlyWallet(token: string | null): Promise<Response> | undefined {
  const early = earlyOf(token);
  const response = early?.response;
  if (early) early.response = undefined;
  return response;
}

/** The home screen stored for this session; undefined without one or before early.js has run. */
export const readStoredHome = async (token: string | null): Promise<StoredHome | undefined> =>
  earlyOf(token)?.kept;

/**
 * Names what the home screen's markup depends on beside its figures: the build, the language and whether balances are
 * hidden. early.js compares with the same text before it shows the markup.
 */
export function appearanceOf(page: Document): string {
  const build = page.querySelector<HTMLScriptElement>('script[data-entry]')?.dataset.entry;
  return [build, page.documentElement.lang, page.cookie.includes('balance=hidden')].join(' ');
}
