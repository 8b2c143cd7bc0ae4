import type { ChatRow, MessageContent } from './types.ts';

/** A message of this agent that is not stored yet. */
export interface Pending {
  clientId: string;
  message: MessageContent;
  status: 'sending' | 'failed';
}

/** What a conversation shows, oldest first: marks between, words, and what is still on its way. */
export type Shown =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'end'; key: string }
  | { kind: 'line'; key: string; row: ChatRow }
  | { kind: 'pending'; key: string; pending: Pending };

const dayOf = (at: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Bangkok' }).format(new Date(at));

/** Lays out lines (newest first, as they are read) with a mark where a day or a session begins. */
export function layOut(newestFirst: readonly ChatRow[], pending: readonly Pending[]): Shown[] {
  const shown: Shown[] = [];
  let before: ChatRow | null = null;
  for (const row of newestFirst.toReversed()) {
    if (before && before.session !== row.session) shown.push({ kind: 'end', key: `end ${row.id}` });
    if (!before || dayOf(before.createdAt) !== dayOf(row.createdAt))
      shown.push({ kind: 'day', key: `day ${row.id}`, at: row.createdAt });
    shown.push({ kind: 'line', key: row.id, row });
    before = row;
  }
  const stored = new Set(newestFirst.map(({ clientId }) => clientId));
  for (const one of pending)
    if (!stored.has(one.clientId)) shown.push({ kind: 'pending', key: one.clientId, pending: one });
  return shown;
}

/** The newest word of the customer, by its id. */
export const lastOfCustomer = (shown: readonly Shown[]): string | undefined =>
  shown.findLast((one) => one.kind === 'line' && one.row.sender === 'customer')?.key;

/** Ready replies whose shortcut or text matches the input after a slash. */
export function fitting<Canned extends { shortcut: string; text: string }>(
  canned: readonly Canned[],
  typed: string,
): Canned[] {
  if (!typed.startsWith('/')) return [];
  const wanted = typed.slice(1).toLowerCase();
  return canned
    .filter(({ shortcut, text }) => shortcut.includes(wanted) || text.toLowerCase().includes(wanted))
    .slice(0, 6);
}
