import { type ConversationState, EMPTY } from './state.ts';

/** The conversation's state with those who draw it. */
export interface Store {
  read: () => ConversationState;
  change: (next: (state: ConversationState) => ConversationState) => void;
  set: (part: Partial<ConversationState>) => void;
  subscribe: (reader: () => void) => () => void;
}

export function createStore(): Store {
  let state = EMPTY;
  const readers = new Set<() => void>();
  const change: Store['change'] = (next) => {
    state = next(state);
    for (const reader of [...readers]) reader();
  };
  return {
    read: () => state,
    change,
    set: (part) => change((known) => ({ ...known, ...part })),
    subscribe(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}
