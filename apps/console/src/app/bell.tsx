import { useText } from '@krapao/ui/text/text.tsx';
import { ActionIcon, Menu } from '@mantine/core';
import { Bell as BellIcon, BellOff } from 'lucide';
import { useState } from 'react';
import { Icon } from '../components/icons.tsx';
import { isWanted, type Manner, mayHandle, ring, setWanted, takeTurn } from '../platform/alarm.ts';
import { labelOf } from '../platform/error-text.ts';
import { useLive } from '../platform/live.ts';
import { useMe } from '../platform/me.ts';
import { useGo } from '../platform/paths.ts';
import { PAGES } from './pages.ts';

/** Announces new work once: by sound, and by a notification where the operator enabled it. */
export function useBell() {
  const { t } = useText();
  const me = useMe();
  const go = useGo();
  const [wanted, setAll] = useState({ sound: isWanted('sound'), notify: isWanted('notify') });
  useLive(async ({ pageName, arrival }) => {
    if (!mayHandle(me, pageName) || !(await takeTurn(arrival ?? `${pageName} ${Date.now()}`))) return;
    if (isWanted('sound')) ring();
    if (!isWanted('notify')) return;
    const note = new Notification(labelOf(t, 'new', pageName), {
      tag: pageName,
      lang: document.documentElement.lang,
    });
    note.onclick = () => {
      window.focus();
      go(PAGES.find(({ id }) => id === pageName)?.path ?? '/');
      note.close();
    };
  });
  const set = (manner: Manner, isOn: boolean) => {
    setWanted(manner, isOn);
    setAll((before) => ({ ...before, [manner]: isWanted(manner) }));
  };
  const toggleSound = () => {
    set('sound', !wanted.sound);
    if (!wanted.sound) ring();
  };
  // The browser prompts only after this press, never on load.
  const toggleNotify = async () => {
    if (!wanted.notify && Notification.permission === 'default') await Notification.requestPermission();
    set('notify', !wanted.notify);
  };
  return { wanted, toggleSound, toggleNotify };
}

export type Bell = ReturnType<typeof useBell>;

const canNotify = (): boolean => 'Notification' in window;

/** How this browser tells of what is new; the choice is this browser's. */
export function BellMenu({ bell }: { bell: Bell }) {
  const { t } = useText();
  const isBlocked = canNotify() && Notification.permission === 'denied';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('bell.title')}>
          <Icon of={bell.wanted.sound ? BellIcon : BellOff} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        <Menu.Label>{t('bell.title')}</Menu.Label>
        <Menu.CheckboxItem checked={bell.wanted.sound} onChange={bell.toggleSound}>
          {t('bell.sound')}
        </Menu.CheckboxItem>
        {canNotify() && (
          <Menu.CheckboxItem
            checked={bell.wanted.notify}
            disabled={isBlocked}
            onChange={() => void bell.toggleNotify()}
          >
            {isBlocked ? t('bell.blocked') : t('bell.notify')}
          </Menu.CheckboxItem>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
