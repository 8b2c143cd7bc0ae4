import { Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { limitsQuery } from '../../platform/member/queries.ts';
import { dueReminder, keepPlayTime, tickPlayTime } from './play-clock.ts';

const TICK_MS = 20_000;

/** Tells a member who wished it how long they have been here, in this tab or in a game opened from it. */
export function PlayReminder() {
  const { t } = useText();
  const { data } = useQuery({ ...limitsQuery, staleTime: Number.POSITIVE_INFINITY });
  const every = data?.limits.find(({ kind }) => kind === 'reminder')?.amount ?? null;
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    if (every === null) return;
    const tick = () => {
      const time = tickPlayTime(Date.now());
      const due = dueReminder(time, every);
      if (due === null) return;
      setMinutes(due);
      keepPlayTime({ ...time, reminded: Math.floor(due / every) });
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [every]);
  if (minutes === null) return null;
  return (
    <Confirm
      title={t('reminder.title', { count: minutes })}
      confirmLabel={t('limit.timeout')}
      cancelLabel={t('reminder.goOn')}
      onConfirm={() => {
        setMinutes(null);
        navigate('/user/limits');
      }}
      onCancel={() => setMinutes(null)}
    >
      {t('reminder.text')}
    </Confirm>
  );
}
