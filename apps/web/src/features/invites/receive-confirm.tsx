import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { codeText } from '../../platform/error-text.ts';
import { BonusStop, useRun } from '../../platform/member/bonus-stop.tsx';
import { playErrorText } from '../../platform/member/error-text.ts';
import { PlayStop, refreshPlayStop, usePlayStop } from '../../platform/member/play-stop.tsx';
import { queryClient } from '../../platform/member/queries.ts';
import { refreshWallet, useKnownWallet } from '../../platform/member/wallet.ts';
import { useOwnSheet } from '../../platform/own-sheet.ts';
import { sumText } from '../../platform/sum-text.ts';
import styles from './invite.module.css';
import { invitesQuery } from './queries.ts';

/** Receives what has been earned; either way the wallet, the list and the open bonus are read again. */
async function receive() {
  try {
    return await api('GET /api/invite/bonus');
  } finally {
    refreshWallet();
    for (const queryKey of [['invites'], ['statement'], ['bonus']])
      queryClient.invalidateQueries({ queryKey });
  }
}

/** Shows the terms of the run before it is started, and receives the bonus; what was received ends on its receipt. */
export function ReceiveConfirm({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const own = useOwnSheet();
  const { invite, wallet } = useKnownWallet();
  const [isBusy, setBusy] = useState(false);
  const run = useRun();
  const stop = usePlayStop();
  const isClosed = useQuery(invitesQuery(1)).data?.terms.isOpen === false;
  const confirm = async () => {
    setBusy(true);
    try {
      const { message, statementId } = await receive();
      showToast('ok', codeText(t, message));
      if (statementId) return own.swap('receipt', statementId);
    } catch (error) {
      const { minimum, amount } = error instanceof ApiError ? error.data : {};
      const sum = (value: unknown) => sumText(t, Number(value), wallet.currency);
      showToast(
        'bad',
        codeOf(error) === 'INVITE_COLLECT' && minimum !== undefined
          ? t('invite.belowMin', { min: sum(minimum), amount: sum(amount) })
          : playErrorText(t, error),
      );
      refreshPlayStop(error);
    }
    onClose();
  };
  if (isClosed || run || stop)
    return (
      <Sheet title={t('invite.receive')} onClose={onClose}>
        {isClosed ? (
          <MessageBox tone="info">{t('error.INVITE_INACTIVE')}</MessageBox>
        ) : run ? (
          <BonusStop run={run} then={t('bonus.thenClaim')} />
        ) : (
          <PlayStop error={stop} />
        )}
      </Sheet>
    );
  return (
    <Confirm
      title={t('invite.receive')}
      confirmLabel={t('invite.receive')}
      isBusy={isBusy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p className={styles.sum}>
        <Money amount={invite.amount} currency={wallet.currency} />
      </p>
      <p>{t('invite.partly')}</p>
      {invite.success > 0 ? (
        <>
          <p className={styles.terms}>
            {t('invite.condition', { success: invite.success, fail: invite.fail })}
          </p>
          <p>{t('invite.rule')}</p>
        </>
      ) : (
        <p>{t('invite.plain')}</p>
      )}
    </Confirm>
  );
}
