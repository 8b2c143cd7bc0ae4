import { BottomNav } from '@krapao/ui/components/bottom-nav.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { CirclePlay, Headset, House, UserPlus } from 'lucide';
import type { ReactNode } from 'react';
import type { PublicPath } from './routes.ts';
import styles from './shell.module.css';

/** A column for visitors with the public menu at its foot. */
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
      {children}
      <BottomNav items={items} label={t('shell.menu')} />
    </div>
  );
}
