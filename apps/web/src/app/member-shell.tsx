import { BottomNav, type NavItem } from '@krapao/ui/components/bottom-nav.tsx';
import { IconButton } from '@krapao/ui/components/button.tsx';
import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import { useMedia } from '@krapao/ui/hooks/use-media.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Headset, House, LogOut, ReceiptText, ScrollText, User } from 'lucide';
import type { ReactNode } from 'react';
import { api } from '../platform/api.ts';
import { chooseLanguage } from '../platform/language.ts';
import { CHAT_PLACE } from '../platform/places.ts';
import { leaveSession } from '../platform/session.ts';
import { openSheet } from '../platform/sheet-state.ts';
import { useSite } from '../platform/site-info.ts';
import { SiteName } from '../platform/site-name.tsx';
import styles from './member-shell.module.css';
import type { MemberPath } from './routes.ts';

/** The server is notified, but the member is logged out with any response. */
function logOut(): void {
  api('POST /api/logout').catch(() => undefined);
  leaveSession('/login');
}

const MENU_BESIDE = '(min-width: 600px)';
const MONEY_BESIDE = '(min-width: 1024px)';

/** What the menu offers: home in the middle of the bar, under the thumb, and first where the menu is beside the page. */
function useMenu(path: MemberPath): NavItem[] {
  const { t } = useText();
  const isBeside = useMedia(MENU_BESIDE);
  const home = { icon: House, label: t('nav.home'), to: '/user/home', isHome: true };
  const items = [
    ...(isBeside ? [home] : []),
    { icon: User, label: t('nav.profile'), to: '/user/profile' },
    { icon: ScrollText, label: t('nav.conditions'), onPress: () => openSheet('conditions') },
    ...(isBeside ? [] : [home]),
    { icon: ReceiptText, label: t('statement.nav'), to: '/user/statement' },
    { icon: Headset, label: t('nav.contact'), to: '/user/contact' },
  ];
  const current = path === '/user/limits' ? '/user/profile' : path;
  return items.map((item) => ({ ...item, isCurrent: 'to' in item && item.to === current }));
}

interface MemberShellProps {
  path: MemberPath;
  /** The member's money, beside every page but home, which has it within; drawn on desktops only. */
  money: ReactNode;
  children: ReactNode;
}

/** The member's frame: name, language, chat and logout above, the menu below or beside. */
export function MemberShell({ path, money, children }: MemberShellProps) {
  const { t } = useText();
  const site = useSite();
  const items = useMenu(path);
  const isBeside = useMedia(MONEY_BESIDE) && path !== '/user/home';
  return (
    <div className={styles.frame}>
      <TopBar name={<SiteName />} tag={site.sandboxTag} isWide>
        <span id={CHAT_PLACE} data-late />
        <LangSwitch onChoose={chooseLanguage} />
        <IconButton icon={LogOut} label={t('auth.logout')} onClick={logOut} />
      </TopBar>
      <div className={isBeside ? styles.beside : undefined}>
        {isBeside && <aside className={styles.side}>{money}</aside>}
        {children}
      </div>
      <BottomNav items={items} label={t('shell.menu')} />
    </div>
  );
}
