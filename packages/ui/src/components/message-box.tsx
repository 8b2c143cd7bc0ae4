import { CircleAlert, CircleCheck, type IconNode, Info, TriangleAlert } from 'lucide';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './message-box.module.css';

type Tone = 'bad' | 'warn' | 'ok' | 'info';

const ICONS: Record<Tone, IconNode> = { bad: CircleAlert, warn: TriangleAlert, ok: CircleCheck, info: Info };

interface MessageBoxProps {
  tone: Tone;
  icon?: IconNode;
  title?: ReactNode;
  children?: ReactNode;
}

/** What happened (title) and what to do (text), in the colour and with the icon of its kind. Bad ones are announced. */
export function MessageBox({ tone, icon, title, children }: MessageBoxProps) {
  return (
    <div className={cx(styles.box, styles[tone])} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon of={icon ?? ICONS[tone]} size={20} />
      <div>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={title ? styles.text : undefined}>{children}</div>}
      </div>
    </div>
  );
}
