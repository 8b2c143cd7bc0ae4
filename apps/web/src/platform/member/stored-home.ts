import { dehydrate, hashKey, hydrate, type Query } from '@tanstack/react-query';
import { config } from '../config.ts';
import { onSessionEnd, sessionToken } from '../session.ts';
import { readStored } from '../storage.ts';
import { whenIdle } from '../when-idle.ts';
import { appearanceOf, readStoredHome, type StoredHome } from './early.ts';
import { activeBonusQuery, homeBannersQuery, queryClient, spinActiveQuery, walletQuery } from './queries.ts';

const CACHE = 'krapao-kept';
const ADDRESS = '/kept/home';
const OWNER = 'x-session';
/** Changes come in groups; the screen has been drawn by then. */
const SETTLED_MS = 1000;
/** A larger screen is not stored: reading it would take longer than rendering it. */
const MARKUP_LIMIT = 200_000;

const SHOWN = new Set(
  [walletQuery, homeBannersQuery, spinActiveQuery, activeBonusQuery].map(({ queryKey }) => hashKey(queryKey)),
);
const isShown = ({ queryHash, state }: Query): boolean => SHOWN.has(queryHash) && state.status === 'success';

/** Names the session without giving its token away; early.js does the same. */
async function ownerOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const drop = (): Promise<unknown> | undefined => globalThis.caches?.delete(CACHE).catch(() => undefined);

/** The home screen's markup without what comes later than the screen itself; undefined on other pages. */
function homeMarkup(): string | undefined {
  if (!location.pathname.startsWith('/user/home')) return undefined;
  const copy = document.getElementById('root')!.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll('dialog, [popover], [role=status], [data-late] > *'))
    element.remove();
  return copy.innerHTML.length > MARKUP_LIMIT ? undefined : copy.innerHTML;
}

/** In several parts, each while the page is idle, so that a press meanwhile is answered at once. */
async function keep(token: string): Promise<void> {
  try {
    const headers = { [OWNER]: await ownerOf(token) };
    await whenIdle();
    const markup = homeMarkup();
    await whenIdle();
    const state = dehydrate(queryClient, { shouldDehydrateQuery: isShown });
    const kept: StoredHome = { state, schemas: config.storedSchemas, markup, look: appearanceOf(document) };
    const cache = await globalThis.caches?.open(CACHE);
    await cache?.put(ADDRESS, new Response(JSON.stringify(kept), { headers }));
    // The member may have left while it was being written, in this tab or another.
    if (readStored('token') !== token) await drop();
  } catch {
    // Full or forbidden storage must never stand in the way of the figures themselves.
  }
}

/**
 * Keeps what the home screen shows on this device after each change of it, until the session ends, for the next start
 * and for a time without connection. Returns the way to stop.
 */
export function keepHome(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const token = sessionToken();
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !isShown(query) || token === null || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const hasWallet = queryClient.getQueryState(walletQuery.queryKey)?.status === 'success';
      if (hasWallet && readStored('token') === token) keep(token);
    }, SETTLED_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
onSessionEnd(() => void drop());

let isKnown = false;

/** Whether this page load began with a home screen the member has seen before. */
export const isHomeKnown = (): boolean => isKnown;

/**
 * Loads the stored values of this session, unless a release changed their schemas since. Any response of the server is newer,
 * also after a restored backup.
 */
export async function showStoredHome(): Promise<void> {
  const kept = await readStoredHome(sessionToken());
  if (kept?.schemas !== config.storedSchemas) return;
  isKnown = true;
  hydrate(queryClient, kept.state);
  const { queryKey } = walletQuery;
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
  queryClient.setQueryData(
    queryKey,
    (known) => known && { ...known, wallet: { ...known.wallet, version: 0 } },
    { updatedAt },
  );
}
