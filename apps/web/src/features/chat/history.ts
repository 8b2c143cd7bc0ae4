import { api } from '../../platform/api.ts';
import { type Item, isAfter, newestId, withItems } from './state.ts';
import type { Store } from './store.ts';
import { asCustomer } from './who.ts';

const PAGE = 10;
/** What was missed is mostly little; more than a page of it is rare. */
const MISSED_PAGE = 50;
const ALL_MAX = 100;

const page = (limit: number, skip: number): Promise<Item[]> =>
  asCustomer((who) => api('POST /api/chat/history', { body: { ...who, limit, skip } }));

/** Reads all messages after `anchor`, from the end backwards. */
async function readSince(anchor: string | null): Promise<Item[]> {
  const news: Item[] = [];
  for (;;) {
    const limit = news.length === 0 ? PAGE : MISSED_PAGE;
    const items = await page(limit, news.length);
    const missed = items.filter((item) => isAfter(item._id, anchor));
    news.push(...missed);
    if (missed.length < limit) return news;
  }
}

/** Whether a session is open, and how far agents have read. */
async function readStanding(store: Store): Promise<void> {
  const { isOpen, readUpTo } = await asCustomer((who) => api('POST /api/chat/unread', { body: who }));
  const last = store.read().items.at(-1);
  store.set({ readUpTo, endedSession: isOpen ? null : (last?.session_id ?? null) });
}

export interface History {
  /** Reads the newest page, or what was missed since; failures are the screen's only before anything was read. */
  catchUp: () => Promise<void>;
  loadEarlier: () => Promise<void>;
  /** Reads again what is shown, with fresh links. Throws. */
  refresh: () => Promise<void>;
}

/** What brings a conversation's history into its store. */
export function createHistory(store: Store): History {
  /** Up to here nothing is missing; events alone do not move it. */
  let anchor: string | null = null;
  let running: Promise<void> | null = null;
  let isWanted = false;

  const readFirst = async () => {
    const items = await page(PAGE, 0);
    store.change((state) => ({
      ...withItems(state, items),
      phase: 'ready',
      hasEarlier: items.length === PAGE,
    }));
  };
  const readMissed = async () => {
    const news = await readSince(anchor);
    store.change((state) => withItems(state, news));
  };
  const once = async () => {
    await (store.read().phase === 'ready' ? readMissed() : readFirst());
    anchor = newestId(store.read().items);
    await readStanding(store);
  };
  const catchUp = async (): Promise<void> => {
    if (running) {
      isWanted = true;
      return running;
    }
    running = once().catch(() => {
      if (store.read().phase === 'loading') store.set({ phase: 'failed' });
    });
    await running;
    running = null;
    if (!isWanted) return;
    isWanted = false;
    await catchUp();
  };
  return {
    catchUp,
    async loadEarlier() {
      const { hasEarlier, isLoadingEarlier, items } = store.read();
      if (!hasEarlier || isLoadingEarlier) return;
      store.set({ isLoadingEarlier: true });
      const more = await page(PAGE, items.length).catch(() => null);
      store.change((state) => ({
        ...(more ? withItems(state, more) : state),
        isLoadingEarlier: false,
        hasEarlier: more ? more.length === PAGE : state.hasEarlier,
      }));
    },
    async refresh() {
      store.set({ isRefreshing: true });
      try {
        const wanted = Math.min(ALL_MAX, Math.max(PAGE, store.read().items.length));
        const items = await page(wanted, 0);
        store.change((state) => ({
          ...withItems(state, items, true),
          phase: 'ready',
          hasEarlier: state.phase === 'ready' ? state.hasEarlier : items.length === wanted,
        }));
        await readStanding(store);
      } finally {
        store.set({ isRefreshing: false });
      }
    },
  };
}
