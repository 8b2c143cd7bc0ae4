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

interface TileProps {
  icon: IconNode;
  label: string;
  tone?: BadgeTone;
  onPress: () => void;
}

/** One of the home screen's actions. */
export function Tile({ icon, label, tone, onPress }: TileProps) {
  return (
    <button type="button" className={styles.tile} onClick={onPress}>
      <BadgeIcon icon={icon} tone={tone} />
      <span>{label}</span>
    </button>
  );
}

/** Tiles three in a row. */
export function Tiles({ children }: { children: ReactNode }) {
  return <div className={styles.tiles}>{children}</div>;
}
