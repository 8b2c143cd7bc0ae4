import { useEffect, useSyncExternalStore } from 'react';
import type { Pending } from './rows.ts';

/** What an operator wrote in one conversation and the server has not stored. */
interface Unsent {
  /** The text in the composer. */
  text: string;
  /** Whether the text is a note. */
  isNote: boolean;
  /** Whether the note is being saved. */
  isSaving: boolean;
  /** Messages on their way, and those that failed. */
  pending: readonly Pending[];
}

const NOTHING: Unsent = { text: '', isNote: false, isSaving: false, pending: [] };

/** By conversation. It outlives the page and ends with the session: others may use the machine. */
const unsent = new Map<string, Unsent>();
/** The conversations on the page. */
const shown = new Set<string>();
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns what is unsent in a conversation now. */
export const unsentIn = (id: string): Unsent => unsent.get(id) ?? NOTHING;

/** Changes what is unsent in a conversation. */
export function changeUnsent(id: string, change: (before: Unsent) => Partial<Unsent>): void {
  const before = unsentIn(id);
  unsent.set(id, { ...before, ...change(before) });
  notify();
}

/** The latest call of each conversation that has one on its way. */
const latest = new Map<string, Promise<unknown>>();

/** Runs a call after the earlier ones of its conversation have ended, also those that failed. */
export function inTurn<T>(id: string, call: () => Promise<T>): Promise<T> {
  const turn = (latest.get(id) ?? Promise.resolve()).then(call);
  const ended = turn.catch(() => undefined);
  latest.set(id, ended);
  void ended.then(() => {
    if (latest.get(id) === ended) latest.delete(id);
  });
  return turn;
}

/** Deletes all drafts and unsent messages, at the end of a session. */
export function clearUnsent(): void {
  unsent.clear();
  notify();
}

/** What is unsent in a conversation. */
export const useUnsent = (id: string): Unsent => useSyncExternalStore(subscribe, () => unsentIn(id));

/** Whether a message of a conversation failed and was neither sent again nor removed. */
export const useHasFailed = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => unsentIn(id).pending.some(({ status }) => status === 'failed'));

/** Marks a conversation as shown for as long as the component is. */
export function useShown(id: string): void {
  useEffect(() => {
    shown.add(id);
    return () => {
      shown.delete(id);
    };
  }, [id]);
}

/** Whether the operator sees the conversation. */
export const isShown = (id: string): boolean => shown.has(id);
