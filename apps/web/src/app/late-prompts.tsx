import { Prompts } from '@krapao/ui/components/prompt.tsx';
import { useEffect } from 'react';
import { LoginAlert } from '../features/devices/login-alert.tsx';
import { PlayReminder } from '../features/limits/play-reminder.tsx';
import { useKeptPush } from '../features/notifications/keep-push.ts';
import { activeBonusQuery, queryClient } from '../platform/member/queries.ts';
import { UpdatePrompt } from './update-prompt.tsx';

/** Prompts that open automatically once the first screen has its figures. */
export default function LatePrompts() {
  useEffect(() => {
    queryClient.prefetchQuery(activeBonusQuery);
  }, []);
  useKeptPush();
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
