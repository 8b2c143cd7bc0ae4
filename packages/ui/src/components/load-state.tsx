import { CloudOff, type IconNode, Inbox, RotateCw } from 'lucide';
import type { ReactNode } from 'react';
import { useDelayed } from '../hooks/use-delayed.ts';
import { useText } from '../text/text.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './load-state.module.css';
import { supportSlot } from './support-slot.ts';

/** Grey places where content will be, after 200 ms. `heights` are their heights in pixels from the top. */
export function Skeleton({ heights }: { heights: readonly number[] }) {
  const { t } = useText();
  const isLate = useDelayed(true);
  const minHeight = heights.reduce((sum, height) => sum + height + 12, 0);
  if (!isLate) return <div aria-busy="true" style={{ minHeight }} />;
  return (
    <div className={styles.skeleton} role="status" aria-busy="true" aria-label={t('state.loading')}>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places never move
        <span key={index} style={{ height }} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  icon?: IconNode;
  text: string;
  /** The next step, a button. */
  children?: ReactNode;
}

/** Nothing here yet, said quietly. */
export function EmptyState({ icon = Inbox, text, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <Icon of={icon} size={28} />
      <p>{text}</p>
      {children}
    </div>
  );
}

/** A load that failed: what happened and a way to try again in place. */
export function ErrorState({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useText();
  return (
    <div className={styles.state}>
      <Icon of={CloudOff} size={28} />
      <p>{text}</p>
      <Button tone="soft" isSmall icon={RotateCw} onClick={onRetry}>
        {t('btn.retry')}
      </Button>
      {supportSlot.under(text)}
    </div>
  );
}
