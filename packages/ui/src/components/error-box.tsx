import { CircleAlert } from 'lucide';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './message-box.module.css';
import { supportSlot } from './support-slot.ts';

/** What went wrong, announced, with the way to support where the text names a reference. */
export function ErrorBox({ title, children }: { title?: ReactNode; children?: ReactNode }) {
  return (
    <div className={cx(styles.box, styles.bad)} role="alert">
      <Icon of={CircleAlert} size={20} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={title ? styles.text : undefined}>{children}</div>}
        {supportSlot.under(children ?? title)}
      </div>
    </div>
  );
}
