import { ChevronLeft, X } from 'lucide';
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { useText } from '../text/text.tsx';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { enter, leave } from './leave.ts';
import styles from './sheet.module.css';
import { useSheetDrag } from './sheet-drag.ts';
import { dialogsChanged } from './toast.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  /** With it the title carries a way back to the step before. */
  onBack?: () => void;
  footer?: ReactNode;
  children: ReactNode;
}

const STOPS = 'a[href], button, input, select, textarea, video, [tabindex="0"]';

/** A body with more than fits and nothing in it to stop at takes the focus itself: the keyboard has to scroll it too. */
function useKeyboardScroll() {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = body.current!;
    const settle = () => {
      const isStuck = element.scrollHeight > element.clientHeight && !element.querySelector(STOPS);
      if (isStuck) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    };
    const size = new ResizeObserver(settle);
    const content = new MutationObserver(settle);
    size.observe(element);
    content.observe(element, { childList: true, subtree: true });
    return () => {
      size.disconnect();
      content.disconnect();
    };
  }, []);
  return body;
}

/**
 * A modal on the native dialog: a sheet from below on phones, a centred dialog from 720 px. It is open while it is
 * mounted; Escape, the back gesture of Android, a press beside it and a pull at its head call `onClose`. Focus returns by
 * itself.
 */
export function Sheet({ title, onClose, onBack, footer, children }: SheetProps) {
  const { t } = useText();
  const titleId = useId();
  const body = useKeyboardScroll();
  const dialog = useRef<HTMLDialogElement>(null);
  const drag = useSheetDrag(dialog, onClose);
  return (
    <Dialog ref={dialog} className={styles.sheet} titleId={titleId} onClose={onClose}>
      <header className={cx(styles.head, onBack && styles.withBack)} {...drag}>
        {onBack && <IconButton icon={ChevronLeft} label={t('btn.back')} onClick={onBack} />}
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon={X} label={t('btn.close')} onClick={onClose} />
      </header>
      <div ref={body} className={styles.body}>
        {children}
      </div>
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </Dialog>
  );
}

interface DialogProps {
  ref?: RefObject<HTMLDialogElement | null>;
  className?: string;
  titleId: string;
  role?: 'alertdialog';
  onClose: () => void;
  children: ReactNode;
}

/** The native modal itself, without looks; how it leaves is the business of its style sheet, see leave.ts. */
export function Dialog({ ref, className, titleId, role, onClose, children }: DialogProps) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = ref ?? own;
  const isExiting = useRef(false);
  // Before paint, and closed before removal: only a dialog that is closed gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const kind = role ?? 'sheet';
    isExiting.current = false;
    element.toggleAttribute('data-swapped', enter(kind));
    element.showModal();
    dialogsChanged();
    return () => {
      isExiting.current = true;
      leave(element, kind);
      element.close();
      dialogsChanged();
    };
  }, [dialog, role]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for leaving a dialog is Escape, which arrives as cancel
    <dialog
      ref={dialog}
      role={role}
      className={className}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Before a user gesture the browser closes a dialog without a cancel event: its owner must be notified.
      onClose={() => isExiting.current || onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}
