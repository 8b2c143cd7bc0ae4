import { BottomNav } from '@krapao/ui/components/bottom-nav.tsx';
import { cx } from '@krapao/ui/components/class-names.ts';
import panel from '@krapao/ui/components/panel.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { CirclePlay, Headset, House, UserPlus } from 'lucide';
import type { ReactNode } from 'react';
import { ASIDE_PLACE } from '../platform/places.ts';
import type { PublicPath } from './routes.ts';
import styles from './shell.module.css';

/** The frame for visitors: a column with the public menu at its foot, on wider screens beside it; a picture on desktops. */
export function PublicShell({ path, children }: { path: PublicPath; children: ReactNode }) {
  const { t } = useText();
  const items = [
    { icon: House, label: t('nav.home'), to: '/login' },
    { icon: UserPlus, label: t('nav.register'), to: '/register' },
    { icon: CirclePlay, label: t('nav.howto'), to: '/howto' },
    { icon: Headset, label: t('nav.contact'), to: '/contact' },
  ].map((item) => ({ ...item, isCurrent: item.to === path }));
  return (
    <div className={styles.column}>
      <div id={ASIDE_PLACE} className={cx(panel.panel, styles.aside)} />
      <div className={styles.form}>{children}</div>
      <BottomNav items={items} label={t('shell.menu')} />
    </div>
  );
}
