import { dateText } from '@krapao/ui/text/date-text.ts';
import { type Item, isAfter } from './state.ts';

/** The rows of the panel from top to bottom. */
export type Row =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'end'; key: string }
  | {
      kind: 'item';
      key: string;
      item: Item;
      /** The last of several of one hand; its time and who wrote stand below. */
      isLast: boolean;
      hasReplies: boolean;
    };

const TOGETHER_MS = 60_000;

function isTogether(item: Item, next: Item | undefined): boolean {
  return (
    next !== undefined &&
    next.sender === item.sender &&
    next.session_id === item.session_id &&
    dateText(next.createdAt) === dateText(item.createdAt) &&
    Date.parse(next.createdAt) - Date.parse(item.createdAt) < TOGETHER_MS
  );
}

/**
 * The messages with a separator a day, and a marker where a session has ended: before the first message of the next,
 * and at the foot while none is open. Replies are offered until the customer writes.
 */
export function rowsOf(items: readonly Item[], endedSession: string | null): Row[] {
  const rows: Row[] = [];
  const lastOwn = items.findLast((item) => item.sender === 'customer')?._id;
  items.forEach((item, index) => {
    const before = items[index - 1];
    if (before && before.session_id !== item.session_id) rows.push({ kind: 'end', key: `end ${item._id}` });
    const day = dateText(item.createdAt);
    if (!before || dateText(before.createdAt) !== day)
      rows.push({ kind: 'day', key: `day ${item._id}`, day });
    const isLast = !isTogether(item, items[index + 1]);
    rows.push({ kind: 'item', key: item._id, item, isLast, hasReplies: isAfter(item._id, lastOwn) });
  });
  if (endedSession !== null && items.at(-1)?.session_id === endedSession)
    rows.push({ kind: 'end', key: 'end' });
  return rows;
}
