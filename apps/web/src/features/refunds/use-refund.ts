import type { MemberApi } from '@krapao/contract/member';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { codeText } from '../../platform/error-text.ts';
import { playErrorText } from '../../platform/member/error-text.ts';
import { refreshPlayStop } from '../../platform/member/play-stop.tsx';
import { refreshRefund } from './queries.ts';

type Added = MemberApi['GET /api/refund/addWallet']['reply'];

/** The two steps of a refund: to the refund balance, confirmed by a toast, and to the wallet, confirmed by a dialog. */
export function useRefund() {
  const { t } = useText();
  const [busy, setBusy] = useState<'receive' | 'add' | null>(null);
  /** What was just added to the wallet. */
  const [added, setAdded] = useState<Added | null>(null);
  const run = async (step: 'receive' | 'add', work: () => Promise<void>) => {
    setBusy(step);
    try {
      await work();
    } catch (error) {
      showToast('bad', playErrorText(t, error));
      refreshPlayStop(error);
    }
    await refreshRefund();
    setBusy(null);
  };
  return {
    busy,
    added,
    forget: () => setAdded(null),
    receive: () =>
      run('receive', async () => {
        const { message } = await api('GET /api/refund/receive');
        showToast('ok', codeText(t, message));
      }),
    add: () =>
      run('add', async () => {
        setAdded(await api('GET /api/refund/addWallet'));
      }),
  };
}
