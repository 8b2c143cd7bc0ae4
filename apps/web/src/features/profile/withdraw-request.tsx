import { Button } from '@krapao/ui/components/button.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { profileQuery, queryClient } from '../../platform/member/queries.ts';

/** Withdraws the pending request for another account; the profile is read again after it. */
export function WithdrawRequest() {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const withdraw = async () => {
    setBusy(true);
    try {
      await api('DELETE /api/account/profile/request', {});
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
      showToast('ok', t('profile.requestWithdrawn'));
    } catch (error) {
      showToast('bad', errorText(t, error));
    }
    setBusy(false);
  };
  return (
    <Button tone="bad" isWide isSmall isBusy={isBusy} onClick={withdraw}>
      {t('profile.withdrawRequest')}
    </Button>
  );
}
