import { BottomNav } from '@krapao/ui/components/bottom-nav.tsx';
import { IconButton } from '@krapao/ui/components/button.tsx';
import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Headset, House, LogOut, ReceiptText, ScrollText, User } from 'lucide';
import type { ReactNode } from 'react';
import { api } from '../platform/api.ts';
import { chooseLanguage } from '../platform/language.ts';
import { leaveSession } from '../platform/session.ts';
import { openSheet } from '../platform/sheet-state.ts';
import { useSite } from '../platform/site-info.ts';
import { SiteName } from '../platform/site-name.tsx';
import styles from './member-shell.module.css';
import type { MemberPath } from './routes.ts';

/** The server is told, but the member is out whatever it answers. */
function logOut(): void {
  api('POST /api/logout').catch(() => undefined);
  leaveSession('/login');
}

/** The member's frame: name, language and logout above, the menu below. */
export function MemberShell({ path, children }: { path: MemberPath; children: ReactNode }) {
  const { t } = useText();
  const site = useSite();
  const items = [
    { icon: User, label: t('nav.profile'), to: '/user/profile' },
    { icon: ScrollText, label: t('nav.conditions'), onPress: () => openSheet('conditions') },
    { icon: House, label: t('nav.home'), to: '/user/home', isHome: true },
    { icon: ReceiptText, label: t('statement.nav'), to: '/user/statement' },
    { icon: Headset, label: t('nav.contact'), to: '/user/contact' },
  ].map((item) => ({ ...item, isCurrent: item.to === (path === '/user/limits' ? '/user/profile' : path) }));
  return (
    <div className={styles.frame}>
      <TopBar name={<SiteName />} tag={site.sandboxTag} isWide>
        <LangSwitch onChoose={chooseLanguage} />
        <IconButton icon={LogOut} label={t('auth.logout')} onClick={logOut} />
      </TopBar>
      {children}
      <BottomNav items={items} label={t('shell.menu')} />
    </div>
  );
}
