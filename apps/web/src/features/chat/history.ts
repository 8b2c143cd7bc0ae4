import { type Item, isAfter, withItems } from './state.ts';
import type { Store } from './store.ts';
import { asCustomer, chatApi } from './who.ts';

const PAGE = 10;
/** What was missed is mostly little; more than a page of it is rare. */
const MISSED_PAGE = 50;
const ALL_MAX = 100;

const page = (limit: number, skip: number): Promise<Item[]> =>
  asCustomer((who) => chatApi('POST /api/chat/history', { body: { ...who, limit, skip } }));

interface Read {
  /** Newest first. */
  items: Item[];
  hasEarlier: boolean;
}

const readFirst = async (): Promise<Read> => {
  const items = await page(PAGE, 0);
  return { items, hasEarlier: items.length === PAGE };
};

/** Reads pages from the end backwards, down to the one that reaches `id`; all of them when it is null. */
async function readDownTo(id: string | null): Promise<Read> {
  const items: Item[] = [];
  for (;;) {
    const limit = items.length === 0 ? PAGE : MISSED_PAGE;
    const more = await page(limit, items.length);
    items.push(...more);
    if (more.length < limit) return { items, hasEarlier: false };
    if (!isAfter(more.at(-1)!._id, id)) return { items, hasEarlier: true };
  }
}

/** Whether a session is open, and how far agents have read. */
async function readStanding(store: Store): Promise<void> {
  const { isOpen, readUpTo } = await asCustomer((who) => chatApi('POST /api/chat/unread', { body: who }));
  const last = store.read().items.at(-1);
  store.set({ readUpTo, endedSession: isOpen ? null : (last?.session_id ?? null) });
}

export interface History {
  /** Reads the newest page, or what was missed since; failures are the screen's only before anything was read. */
  catchUp: () => Promise<void>;
  /** Catches up and reads again what is shown, which a merge moves messages into. */
  readAgain: () => Promise<void>;
  loadEarlier: () => Promise<void>;
  /** Reads again what is shown, with fresh links. Throws. */
  refresh: () => Promise<void>;
}

/** What brings a conversation's history into its store. */
export function createHistory(store: Store): History {
  /** The newest message of the pages that were read: up to here nothing is missing. */
  let anchor: string | null = null;
  let running: Promise<void> | null = null;
  let isWanted = false;
  /** Whether messages may be missing among those shown. */
  let isStale = false;

  const readNext = async (isWhole: boolean): Promise<Item[]> => {
    const { phase, items: shown } = store.read();
    const isFirst = phase !== 'ready' || shown.length === 0;
    const { items, hasEarlier } = isFirst
      ? await readFirst()
      : await readDownTo(isWhole ? shown[0]!._id : anchor);
    store.change((state) =>
      isFirst || isWhole
        ? { ...withItems(state, items), phase: 'ready', hasEarlier }
        : withItems(
            state,
            items.filter((item) => isAfter(item._id, anchor)),
          ),
    );
    return items;
  };
  const once = async () => {
    const isWhole = isStale;
    isStale = false;
    const [newest] = await readNext(isWhole).catch((error) => {
      isStale ||= isWhole;
      throw error;
    });
    // Not the newest of the store: an event may have brought a later message than one that was missed.
    anchor = newest?._id ?? anchor;
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
    readAgain() {
      isStale = true;
      return catchUp();
    },
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
