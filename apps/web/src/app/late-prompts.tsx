import { Prompts } from '@krapao/ui/parts/prompt.tsx';
import { useEffect } from 'react';
import { LoginAlert } from '../features/devices/login-alert.tsx';
import { PlayReminder } from '../features/limits/play-reminder.tsx';
import { followNotifications } from '../features/notifications/open-place.ts';
import { activeBonusQuery, queryClient } from '../platform/member/queries.ts';
import { UpdatePrompt } from './update-prompt.tsx';

/** What comes up by itself once the first screen has its figures. */
export default function LatePrompts() {
  useEffect(() => {
    queryClient.prefetchQuery(activeBonusQuery);
  }, []);
  useEffect(followNotifications, []);
  return (
    <>
      <Prompts>
        <UpdatePrompt />
        <LoginAlert />
      </Prompts>
      <PlayReminder />
    </>
  );
}
