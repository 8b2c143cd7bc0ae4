import { ChevronRight } from 'lucide';
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './item.module.css';

interface ItemProps {
  lead?: ReactNode;
  /** A word above the title, such as what the row is for. */
  over?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  trail?: ReactNode;
  isDisabled?: boolean;
  onPress?: () => void;
}

/** A row of a list; with onPress it is a button that points onward. */
export function Item({ lead, over, title, detail, trail, isDisabled, onPress }: ItemProps) {
  const inside = (
    <>
      {lead}
      <span className={styles.texts}>
        {over && <span className={styles.detail}>{over}</span>}
        <span className={styles.title}>{title}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      {trail ?? (onPress && <Icon className={styles.onward} of={ChevronRight} size={20} />)}
    </>
  );
  if (!onPress) return <div className={styles.item}>{inside}</div>;
  return (
    <button type="button" className={cx(styles.item, styles.press)} disabled={isDisabled} onClick={onPress}>
      {inside}
    </button>
  );
}

/** A name and its value on one line, for profiles and receipts. */
export function KeyValue({
  name,
  trail,
  children,
}: {
  name: string;
  trail?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.pair} data-trail={trail ? '' : undefined}>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {trail}
      </dd>
    </div>
  );
}
