import { Prompts } from '@krapao/ui/parts/prompt.tsx';
import { LoginAlert } from '../features/devices/login-alert.tsx';
import { PlayReminder } from '../features/limits/play-reminder.tsx';
import { UpdatePrompt } from './update-prompt.tsx';

/** What comes up by itself once the first screen has its figures. */
export default function LatePrompts() {
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
