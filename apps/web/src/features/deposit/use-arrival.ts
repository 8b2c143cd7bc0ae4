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
  const since = useRef(0);
  /** The deposits that were credited when it was turned on; null until the statement has been read. */
  const before = useRef<Set<string> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew each time it is turned on
  useEffect(() => {
    since.current = Date.now();
    before.current = null;
  }, [isOn]);
  useEffect(() => {
    // A page that was read earlier may lack deposits that were credited since.
    if (!isOn || !data || dataUpdatedAt < since.current) return;
    const credited = data.statements.filter(isCredited).map(({ id }) => id);
    const known = before.current;
    const arrived = known && credited.find((id) => !known.has(id));
    before.current ??= new Set(credited);
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
