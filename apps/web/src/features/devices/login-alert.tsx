import { Prompt } from '@krapao/ui/components/prompt.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide';
import { useState } from 'react';
import { config } from '../../platform/config.ts';
import { openSheet, useSheet } from '../../platform/sheet-state.ts';
import { readCookie, writeCookie } from '../../platform/storage.ts';
import { sessionsQuery } from './queries.ts';

const STALE_MS = 5 * 60_000;

/** The logins whose notice was put away on this device, by their ids; a cookie, as the stored names are fixed. */
const COOKIE = 'seen-logins';
const seenLogins = (): string[] => (readCookie(COOKIE) ?? '').split(' ');

/**
 * Shows a login from a new device, until it has been confirmed or ended, or the notice has been dismissed on
 * this device. Reads again when the page becomes visible.
 */
export function LoginAlert() {
  const { t } = useText();
  const { data } = useQuery({ ...sessionsQuery, staleTime: STALE_MS });
  const [seen, setSeen] = useState(seenLogins);
  const isOpen = useSheet() !== null;
  const inQuestion = (data?.sessions ?? [])
    .filter(({ isNew, isThis }) => isNew && !isThis)
    .map(({ id }) => id);
  if (isOpen || inQuestion.every((id) => seen.includes(id))) return null;
  const dismiss = () => {
    // Logins that have ended are forgotten, so that the list stays short.
    writeCookie(COOKIE, inQuestion.join(' '), config.isFramed);
    setSeen(inQuestion);
  };
  return (
    <Prompt
      icon={ShieldAlert}
      text={t('device.alert')}
      action={t('device.look')}
      onPress={() => openSheet('devices')}
      onDismiss={dismiss}
    />
  );
}
