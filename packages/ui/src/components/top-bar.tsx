import { ChevronLeft } from 'lucide';
import type { ReactNode } from 'react';
import { useText } from '../text/text.tsx';
import { BrandMark } from './brand-mark.tsx';
import { IconButton } from './button.tsx';
import { cx } from './class-names.ts';
import { Tag } from './tag.tsx';
import styles from './top-bar.module.css';

interface TopBarProps {
  name: ReactNode;
  /** With it the sign makes room for a back arrow. */
  onBack?: () => void;
  /** A small word beside the name, such as the sandbox mark. */
  tag?: string;
  /** Spans the whole window on desktops. */
  isWide?: boolean;
  children?: ReactNode;
}

/** The bar at the top: the product's name, or a page's with a way back, and what can always be pressed. */
export function TopBar({ name, onBack, tag, isWide, children }: TopBarProps) {
  const { t } = useText();
  return (
    <header className={cx(styles.bar, isWide && styles.wide)} data-back={onBack ? '' : undefined}>
      {onBack ? <IconButton icon={ChevronLeft} label={t('shell.back')} onClick={onBack} /> : <BrandMark />}
      <span className={styles.name}>
        {name}
        {tag && <Tag text={tag} />}
      </span>
      {children}
    </header>
  );
}
