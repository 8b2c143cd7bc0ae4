import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { sessionsQuery } from './queries.ts';

/** What a member can do about their sessions; the list is read again after each. */
export function useDevices() {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const perform = async (work: () => Promise<string | null>) => {
    setBusy(true);
    try {
      const done = await work();
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      if (done) showToast('ok', done);
    } catch (error) {
      showToast('bad', errorText(t, error));
    }
    setBusy(false);
  };
  return {
    isBusy,
    /** Logs one session out, or with null every other one. */
    end: (id: string | null) =>
      perform(async () => {
        const ended = id === null ? (await api('DELETE /api/account/sessions')).ended : 1;
        if (id !== null) await api('DELETE /api/account/sessions/{id}', { params: { id } });
        return t('device.ended', { count: ended });
      }),
    confirm: (id: string) =>
      perform(async () => {
        await api('POST /api/account/sessions/{id}/known', { params: { id } });
        return null;
      }),
  };
}
