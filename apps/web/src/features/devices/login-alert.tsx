import { Prompt } from '@krapao/ui/components/prompt.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide';
import { openSheet, useSheet } from '../../platform/sheet-state.ts';
import { sessionsQuery } from './queries.ts';

const STALE_MS = 5 * 60_000;

/** Tells of a login from a device that was new, until it has been confirmed or ended. Asks again when the page is looked at. */
export function LoginAlert() {
  const { t } = useText();
  const { data } = useQuery({ ...sessionsQuery, staleTime: STALE_MS });
  const isOpen = useSheet() !== null;
  const isTold = data?.sessions.some(({ isNew, isThis }) => isNew && !isThis) ?? false;
  if (isOpen || !isTold) return null;
  return (
    <Prompt
      icon={ShieldAlert}
      text={t('device.alert')}
      action={t('device.look')}
      onPress={() => openSheet('devices')}
    />
  );
}
