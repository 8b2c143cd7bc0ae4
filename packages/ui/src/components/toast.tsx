import { CircleAlert, CircleCheck, Info } from 'lucide';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import { enter, leave } from './leave.ts';
import { supportSlot } from './support-slot.ts';
import styles from './toast.module.css';

export type ToastTone = 'ok' | 'bad' | 'info';

interface ToastState {
  key: number;
  tone: ToastTone;
  text: string;
}

const LASTS_MS = 4000;
const ICONS = { ok: CircleCheck, bad: CircleAlert, info: Info };

let current: ToastState | null = null;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const readers = new Set<() => void>();

function set(next: ToastState | null): void {
  current = next;
  for (const reader of readers) reader();
}

/** Notified by every dialog that opens or closes: a toast moves to the uppermost one, and stays when its dialog goes. */
export function dialogsChanged(): void {
  if (current) set({ ...current });
}

function countDown(): void {
  clearTimeout(timer);
  timer = setTimeout(() => set(null), LASTS_MS);
}

/** Lets a toast wait while it is pointed at or focused, so that its button can be reached. */
function waitWhileReached(box: HTMLElement): () => void {
  const waits = new AbortController();
  const { signal } = waits;
  for (const name of ['pointerenter', 'focusin'])
    box.addEventListener(name, () => clearTimeout(timer), { signal });
  for (const name of ['pointerleave', 'focusout']) box.addEventListener(name, countDown, { signal });
  return () => waits.abort();
}

/** Shows a short message for 4 s in place of the one before; one that comes before its place is there waits for it. */
export function showToast(tone: ToastTone, text: string): void {
  count += 1;
  set({ key: count, tone, text });
  if (readers.size > 0) countDown();
}

/** Takes the message away, where what it said holds no more. */
export const hideToast = (): void => set(null);

const subscribe = (reader: () => void) => {
  readers.add(reader);
  if (current) countDown();
  return () => readers.delete(reader);
};

/**
 * Where toasts appear. One lies in the browser's top layer inside the uppermost open dialog, because everything
 * outside a modal dialog is covered by it and silent for screen readers.
 */
export function ToastHost() {
  const toast = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  if (!toast) return null;
  const home = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  return createPortal(<Toast key={toast.key} toast={toast} />, home, String(toast.key));
}

function Toast({ toast }: { toast: ToastState }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    element.toggleAttribute('data-swapped', enter('toast'));
    // A dialog that leaves in the same moment takes it along; the toast then comes again in the one below.
    if (element.isConnected) element.showPopover();
    const stop = waitWhileReached(element);
    return () => {
      stop();
      leave(element, 'toast');
    };
  }, []);
  return (
    <div
      ref={box}
      popover="manual"
      role={toast.tone === 'bad' ? 'alert' : 'status'}
      className={cx(styles.toast, styles[toast.tone])}
    >
      <Icon of={ICONS[toast.tone]} size={20} />
      <span>
        {toast.text}
        {toast.tone === 'bad' && supportSlot.under(toast.text)}
      </span>
    </div>
  );
}
