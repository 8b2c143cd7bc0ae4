import type { MemberApi } from '@krapao/contract/member';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type Notice, useNotice } from '../../platform/member/live.ts';
import { statementQuery } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';
import { swapSheet } from '../../platform/sheet-state.ts';

type Row = MemberApi['POST /api/statement']['reply']['statements'][number];

const isCredited = ({ statementType, status }: Row): boolean =>
  statementType === 'deposit' && status === 'SUCCESS';

function showReceipt(id: string): void {
  refreshWallet();
  swapSheet('receipt', id);
}

/**
 * Turns the step into the receipt when a deposit is credited while `isOn`. A live notice reports it. Where the notice was
 * missed, the statement has the deposit: it is read again after a reconnect and when the page is visible again.
 */
export function useArrival(isOn: boolean): void {
  const { data, dataUpdatedAt } = useQuery({ ...statementQuery(1), enabled: isOn, staleTime: 0 });
  /** When it was turned on, and the deposits that were credited by then; null until the statement has been read. */
  const watch = useRef<{ since: number; before: Set<string> | null } | null>(null);
  useEffect(() => {
    if (!isOn) {
      watch.current = null;
      return;
    }
    watch.current ??= { since: Date.now(), before: null };
    const { since, before } = watch.current;
    // A page that was read earlier may lack deposits that were credited since.
    if (!data || dataUpdatedAt < since) return;
    const credited = data.statements.filter(isCredited).map(({ id }) => id);
    watch.current.before ??= new Set(credited);
    const arrived = before && credited.find((id) => !before.has(id));
    if (arrived) showReceipt(arrived);
  }, [isOn, data, dataUpdatedAt]);

  const onNotice = useCallback(
    ({ kind, status, id, qrcodeId }: Notice) => {
      // The step of the QR reports its payment.
      if (isOn && kind === 'deposit' && status === 'SUCCESS' && qrcodeId === undefined) showReceipt(id);
    },
    [isOn],
  );
  useNotice(onNotice);
}
