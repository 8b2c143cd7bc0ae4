import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { queryClient, takeResponse } from '../../platform/member/queries.ts';
import { type Ability, pushAbility, unsubscribeBrowser } from './browser-push.ts';
import { subscribeHere } from './keep-push.ts';
import { type PushState, pushQuery } from './queries.ts';

type Preferences = Pick<PushState, 'kinds' | 'hidesAmounts'>;

/** What a member can do about what is brought to their browsers. */
export function usePush() {
  const { t } = useText();
  const [ability, setAbility] = useState<Ability>(pushAbility);
  const [isBusy, setBusy] = useState(false);
  const perform = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showToast('bad', error instanceof DOMException ? t('push.failed') : errorText(t, error));
    }
    await queryClient.invalidateQueries({ queryKey: pushQuery.queryKey });
    setAbility(pushAbility());
    setBusy(false);
  };
  return {
    ability,
    isBusy,
    turnOn: (publicKey: string) => perform(() => subscribeHere(publicKey)),
    turnOff: () =>
      perform(async () => {
        await api('DELETE /api/push/subscription');
        await unsubscribeBrowser().catch(() => undefined);
      }),
    preferences: ({ kinds, hidesAmounts }: Preferences) =>
      perform(async () => {
        const state = await api('PUT /api/push', { body: { kinds, hidesAmounts } });
        takeResponse(pushQuery.queryKey, state);
      }),
  };
}
