import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './tile.module.css';

export type BadgeTone = 'brand' | 'solid' | 'gold' | 'quiet' | 'bad' | 'ok' | 'warn';

/** An icon on a soft square, for the head of a row or a tile. */
export function BadgeIcon({ icon, tone = 'brand' }: { icon: IconNode; tone?: BadgeTone }) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      <Icon of={icon} />
    </span>
  );
}

/** More than this is shown as "so many and more". */
const COUNT_MAX = 99;

interface TileProps {
  icon: IconNode;
  label: string;
  tone?: BadgeTone;
  /** How many wait behind it; said by `badgeLabel`. 0 shows none. */
  badge?: number;
  badgeLabel?: string;
  onPress: () => void;
}

/** One of the home screen's actions. */
export function Tile({ icon, label, tone, badge = 0, badgeLabel, onPress }: TileProps) {
  return (
    <button
      type="button"
      className={styles.tile}
      aria-description={badge > 0 ? badgeLabel : undefined}
      onClick={onPress}
    >
      <span className={styles.head}>
        <BadgeIcon icon={icon} tone={tone} />
        {badge > 0 && (
          <span className={styles.count} aria-hidden="true">
            {badge > COUNT_MAX ? `${COUNT_MAX}+` : badge}
          </span>
        )}
      </span>
      <span>{label}</span>
    </button>
  );
}

/** Tiles three in a row. */
export function Tiles({ children }: { children: ReactNode }) {
  return <div className={styles.tiles}>{children}</div>;
}
