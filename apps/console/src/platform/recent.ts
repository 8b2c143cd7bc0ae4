import type { Path } from './paths.ts';

/** A subject that was opened in this tab. */
export interface RecentItem {
  path: Path;
  title: string;
  /** What it is, as in the texts of `type`. */
  kind: string;
}

const KEY = 'recent';
const ITEMS_MAX = 8;

/** What was opened last, the latest first. It ends with the tab: others may use the machine. */
export function recentItems(): RecentItem[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** Keeps what was opened, once. */
export function keepRecent(item: RecentItem): void {
  const others = recentItems().filter(({ path }) => path !== item.path);
  sessionStorage.setItem(KEY, JSON.stringify([item, ...others].slice(0, ITEMS_MAX)));
}

/** Deletes recently opened subjects at the end of a session. */
export const forgetRecent = (): void => sessionStorage.removeItem(KEY);
