import type { MemberApi } from '@krapao/contract/member';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../platform/api.ts';
import { type Notice, useNotice } from '../../platform/member/live.ts';
import { depositQuery, qrQuery, queryClient, takeResponse } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';

type QrState = MemberApi['GET /api/qrcode/{bankCode}']['reply'];

/** An open QR with the moment it ends by this device's clock. */
export interface OpenQr extends QrState {
  qrcode: string;
  expiresAt: number;
}

/** The deposit that a QR became. */
export interface PaidQr {
  id: string;
  amount: number;
}

const POLL_MS = 15_000;
/** The time that is left of a QR is reported in whole seconds. */
const ROUNDING_MS = 1000;

/** Puts a fresh answer in place of what was known; QRs of other banks may have been cancelled by it. */
function take(bankCode: string, state: QrState): void {
  takeResponse(qrQuery(bankCode).queryKey, { ...state, takenAt: Date.now() });
  queryClient.invalidateQueries({
    queryKey: ['qrcode'],
    predicate: ({ queryKey }) => queryKey[1] !== bankCode,
    refetchType: 'all',
  });
  queryClient.invalidateQueries({ queryKey: depositQuery.queryKey });
}

/** Makes a QR; the response may report that the bank could not (`hasQrcode` false with a message). */
export async function createQr(bankCode: string, amount: number): Promise<QrState> {
  const state = await api('POST /api/qrcode/{bankCode}', { params: { bankCode }, body: { amount } });
  take(bankCode, state);
  return state;
}

/**
 * The open QR of a bank, whether it ran out, and what was paid. A payment is reported by the socket; where that was missed,
 * the server names the deposit once the QR is found gone, also after its time: the page may have slept meanwhile.
 */
export function useQr(bankCode: string) {
  const query = useQuery({
    ...qrQuery(bankCode),
    refetchInterval: ({ state }) => (state.data?.hasQrcode ? POLL_MS : false),
  });
  const { data } = query;
  const [paid, setPaid] = useState<PaidQr | null>(null);
  const [isExpired, setExpired] = useState(false);
  const [last, setLast] = useState<Pick<OpenQr, 'qrcodeId' | 'expiresAt'> | null>(null);
  const expiresAt = data ? data.takenAt + data.expireIn * 1000 : 0;
  const hasQr = data?.hasQrcode === true && data.qrcode !== null;
  // Stays known until another replaces it: a payment may be reported long after this one was found gone.
  if (hasQr && data.qrcodeId !== last?.qrcodeId) {
    setLast({ qrcodeId: data.qrcodeId, expiresAt });
    setExpired(false);
  }
  const isOpen = hasQr && !isExpired;
  const qr: OpenQr | null = isOpen ? { ...data, qrcode: data.qrcode as string, expiresAt } : null;
  const lastId = last?.qrcodeId ?? null;

  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => setExpired(true), Math.max(0, expiresAt - Date.now()));
    return () => clearTimeout(timer);
  }, [isOpen, expiresAt]);
  useEffect(() => {
    // The server's clock may find it gone before the countdown of this device ends.
    if (data?.hasQrcode === false && last && last.expiresAt - Date.now() <= ROUNDING_MS) setExpired(true);
  }, [data?.hasQrcode, last]);

  const onNotice = useCallback(
    (notice: Notice) => {
      if (notice.kind !== 'deposit' || notice.status !== 'SUCCESS') return;
      if (notice.qrcodeId === undefined || notice.qrcodeId !== lastId) return;
      setPaid({ id: notice.id, amount: notice.amount });
      refreshWallet();
      // A member who returns to make another must not find this one.
      queryClient.invalidateQueries({ queryKey: qrQuery(bankCode).queryKey });
    },
    [bankCode, lastId],
  );
  useNotice(onNotice);

  useEffect(() => {
    if (!data || data.hasQrcode || lastId === null || data.paid?.qrcodeId !== lastId) return;
    setPaid(data.paid);
    refreshWallet();
  }, [data, lastId]);

  const cancel = async () => {
    take(bankCode, await api('DELETE /api/qrcode/{bankCode}', { params: { bankCode } }));
  };
  return { query, qr, lastId, isExpired, paid, cancel };
}
