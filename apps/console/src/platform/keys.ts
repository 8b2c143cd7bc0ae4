import { useEffect, useRef } from 'react';

/** Every single key that does something, as `KeyboardEvent.key` names it; `?` lists them all. */
export type Key =
  | '?'
  | '/'
  | 'g'
  | 'j'
  | 'k'
  | 'x'
  | 'X'
  | 'Enter'
  | 'c'
  | 'a'
  | 'r'
  | 'u'
  | 'h'
  | '['
  | ']'
  | 'Escape';

/** What a key does in the page that is open. */
export type Keys = Partial<Record<Key, (event: KeyboardEvent) => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

const hasDialog = (): boolean => document.querySelector('[role=dialog]') !== null;

/** Keys whose characters are not letters, by their place on the keyboard: without and with Shift. */
const SIGNS: Record<string, readonly [string, string]> = {
  Slash: ['/', '?'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
};

/** The key that was pressed; on a Thai or Lao layout the Latin one at its place. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (!/^\P{ASCII}+$/u.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS[code]?.[shiftKey ? 1 : 0] ?? key;
}

/** Single keys for the page that is open: never while typing, with Ctrl or Alt, or under a dialog. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isTyping(event.target) || hasDialog()) return;
      // Enter on a button or link is that control's own.
      if (
        event.key === 'Enter' &&
        event.target instanceof HTMLElement &&
        /^(BUTTON|A)$/.test(event.target.tagName)
      )
        return;
      const perform = latest.current[keyOf(event) as Key];
      if (!perform) return;
      event.preventDefault();
      perform(event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const SEQUENCE_MS = 1_200;

/** `g` and then a letter, within a moment. */
export function useGoKeys(go: Record<string, () => void>): void {
  const since = useRef(Number.NEGATIVE_INFINITY);
  const keys: Keys = {
    g: (event) => {
      since.current = event.timeStamp;
    },
  };
  const latest = useRef(go);
  latest.current = go;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // When the keys were pressed, not when they are handled: a busy page handles them late.
      if (event.timeStamp - since.current > SEQUENCE_MS || keyOf(event) === 'g') return;
      since.current = Number.NEGATIVE_INFINITY;
      if (isTyping(event.target) || hasDialog()) return;
      const perform = latest.current[keyOf(event)];
      if (!perform) return;
      // The letter belongs to the sequence, not to the page.
      event.preventDefault();
      event.stopImmediatePropagation();
      perform();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, []);
  useKeys(keys);
}
