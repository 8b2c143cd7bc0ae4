import { CircleCheck, type IconNode, Info, TriangleAlert } from 'lucide';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { ErrorBox } from './error-box.tsx';
import { Icon } from './icon.tsx';
import styles from './message-box.module.css';

const ICONS = { warn: TriangleAlert, ok: CircleCheck, info: Info };

interface MessageBoxProps {
  tone: keyof typeof ICONS | 'bad';
  icon?: IconNode;
  title?: ReactNode;
  children?: ReactNode;
}

/** What happened (title) and what to do (text), in the colour and with the icon of its kind. */
export function MessageBox({ tone, icon, title, children }: MessageBoxProps) {
  if (tone === 'bad') return <ErrorBox title={title}>{children}</ErrorBox>;
  return (
    <div className={cx(styles.box, styles[tone])}>
      <Icon of={icon ?? ICONS[tone]} size={20} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={title ? styles.text : undefined}>{children}</div>}
      </div>
    </div>
  );
}
