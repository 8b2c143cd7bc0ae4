import type { Permission } from '@krapao/contract/operator';
import { LANGUAGE_NAMES, LANGUAGES } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { type IconNode, Languages, LogOut, Moon, Plus, Sun } from 'lucide';
import { labelOf } from '../platform/error-text.ts';
import { showLanguage } from '../platform/i18n.ts';
import { may, useMe } from '../platform/me.ts';
import { type Path, useGo } from '../platform/paths.ts';
import { useEntry } from '../platform/saved-views.ts';
import { useExit } from './leave-guard.tsx';
import { PAGES } from './pages.ts';
import { signOut } from './sign-out.ts';

/** What the palette offers besides what is found: a page, or an action. */
export interface Command {
  id: string;
  group: 'pages' | 'actions';
  label: string;
  icon: IconNode;
  /** The keys that do the same. */
  keys?: string;
  run: () => unknown;
}

/** What is made on a page of its own, or in the dialog that the address opens. */
const MAKING = [
  { label: 'bonus.add', path: '/bonuses/new', permission: 'promotion.manage' },
  { label: 'wheel.add', path: '/wheels/new', permission: 'promotion.manage' },
  { label: 'coupon.grant', path: '/coupons?add=1', permission: 'promotion.manage' },
  { label: 'games.add', path: '/games?add=1', permission: 'setting.manage' },
  { label: 'channel.add', path: '/deposit-accounts?add=1', permission: 'channel.manage' },
  { label: 'webhook.add', path: '/webhooks?add=1', permission: 'webhook.manage' },
  { label: 'team.invite', path: '/team?add=1', permission: 'operator.manage' },
] as const satisfies readonly { label: string; path: Path; permission: Permission }[];

/** The pages the operator may open, and the actions they may do from anywhere. */
export function useCommands(): Command[] {
  const { t, language } = useText();
  const me = useMe();
  const go = useGo();
  const entry = useEntry();
  const exit = useExit();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return [
    ...PAGES.filter(({ permission }) => may(me, permission)).map(
      ({ id, path, icon, letter }): Command => ({
        id,
        group: 'pages',
        label: labelOf(t, 'nav', id),
        icon,
        keys: `g ${letter}`,
        run: () => go(entry(path)),
      }),
    ),
    ...MAKING.filter(({ permission }) => may(me, permission)).map(
      ({ label, path }): Command => ({
        id: label,
        group: 'actions',
        label: t(label),
        icon: Plus,
        run: () => go(path),
      }),
    ),
    {
      id: 'scheme',
      group: 'actions',
      label: t(isDark ? 'shell.light' : 'shell.dark'),
      icon: isDark ? Sun : Moon,
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    ...LANGUAGES.filter((code) => code !== language).map(
      (code): Command => ({
        id: `language ${code}`,
        group: 'actions',
        label: t('find.language', { language: LANGUAGE_NAMES[code] }),
        icon: Languages,
        run: () => showLanguage(code),
      }),
    ),
    { id: 'sign-out', group: 'actions', label: t('btn.signOut'), icon: LogOut, run: () => exit(signOut) },
  ];
}

/** Those whose label or id has every one of the words; those whose label begins with the first come first. */
export function commandsFor(commands: readonly Command[], typed: string): Command[] {
  const [first = '', ...others] = typed.toLocaleLowerCase().split(/\s+/);
  const rankOf = ({ label, id }: Command): number => {
    const name = label.toLocaleLowerCase();
    if (!others.every((part) => name.includes(part))) return Number.NaN;
    if (name.startsWith(first)) return 0;
    if (name.includes(first)) return 1;
    return id.includes(first) ? 2 : Number.NaN;
  };
  return [0, 1, 2].flatMap((rank) => commands.filter((command) => rankOf(command) === rank));
}
