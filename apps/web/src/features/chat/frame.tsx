import { cx } from '@krapao/ui/components/class-names.ts';
import { leave } from '@krapao/ui/components/leave.ts';
import { dialogsChanged } from '@krapao/ui/components/toast.tsx';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './frame.module.css';

interface FrameProps {
  titleId: string;
  onClose: () => void;
  children: ReactNode;
}

/** Where there is room for the panel beside the page. */
export const WIDE = '(min-width: 720px)';

/** On a phone a modal over everything; where there is room a panel beside the page, which stays in use. */
export function Frame(props: FrameProps) {
  const [isWide] = useState(() => matchMedia(WIDE).matches);
  return isWide ? <Beside {...props} /> : <Over {...props} />;
}

/** Keeps the panel in the part of the screen that a keyboard leaves; not while the page is magnified. */
function keepInSight(panel: HTMLElement | null): (() => void) | undefined {
  const view = window.visualViewport;
  if (!view || !panel) return;
  const fit = () => {
    const isCovered = view.scale === 1 && view.height < window.innerHeight;
    panel.style.height = isCovered ? `${view.height}px` : '';
    panel.style.top = isCovered ? `${view.offsetTop}px` : '';
  };
  view.addEventListener('resize', fit);
  view.addEventListener('scroll', fit);
  return () => {
    view.removeEventListener('resize', fit);
    view.removeEventListener('scroll', fit);
  };
}

function Over({ titleId, onClose, children }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    dialogsChanged();
    return () => {
      leave(element, 'panel');
      element.close();
      dialogsChanged();
    };
  }, []);
  useEffect(() => keepInSight(dialog.current), []);
  return (
    <dialog
      ref={dialog}
      className={styles.panel}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/** Not a dialog element: an open one would hold the page's scroll. */
function Beside({ titleId, onClose, children }: FrameProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = panel.current!;
    const before = document.activeElement;
    element.querySelector('textarea')?.focus();
    return () => {
      leave(element, 'panel');
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      className={cx(styles.panel, styles.beside)}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {children}
    </div>
  );
}
