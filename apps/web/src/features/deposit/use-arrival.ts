import { useCallback } from 'react';
import { type Notice, useNotice } from '../../platform/member/live.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';
import { swapSheet } from '../../platform/sheet-state.ts';

/** Turns the step into the receipt when a transfer arrives while the member looks at where to send it. */
export function useArrival(): void {
  const onNotice = useCallback((notice: Notice) => {
    if (notice.kind !== 'deposit' || notice.status !== 'SUCCESS') return;
    refreshWallet();
    swapSheet('receipt', notice.id);
  }, []);
  useNotice(onNotice);
}
