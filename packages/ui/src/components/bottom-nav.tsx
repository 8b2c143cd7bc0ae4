import type { IconNode } from 'lucide';
import styles from './bottom-nav.module.css';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';

export interface NavItem {
  icon: IconNode;
  label: string;
  /** Where it leads; an item without an address is a button. */
  to?: string;
  onPress?: () => void;
  isCurrent?: boolean;
  /** The big one in the middle. */
  isHome?: boolean;
}

/** The menu at the bottom of a phone, beside the page elsewhere. With a home item its middle place is raised. */
export function BottomNav({ items, label }: { items: NavItem[]; label: string }) {
  const hasHome = items.some((item) => item.isHome);
  return (
    <nav className={cx(styles.nav, hasHome ? styles.member : styles.public)} aria-label={label}>
      {items.map((item) => (
        <NavPlace key={item.label} item={item} />
      ))}
    </nav>
  );
}

function NavPlace({ item }: { item: NavItem }) {
  const inside = (
    <>
      <span className={item.isHome ? styles.disc : styles.pip}>
        <Icon of={item.icon} size={item.isHome ? 28 : 24} />
      </span>
      <span>{item.label}</span>
    </>
  );
  const className = cx(styles.place, item.isHome && styles.home);
  if (item.to === undefined) {
    return (
      <button type="button" className={className} onClick={item.onPress}>
        {inside}
      </button>
    );
  }
  return (
    <Link to={item.to} className={className} aria-current={item.isCurrent ? 'page' : undefined}>
      {inside}
    </Link>
  );
}
