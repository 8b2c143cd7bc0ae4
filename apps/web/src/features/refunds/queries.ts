import type { MemberApi } from '@krapao/contract/member';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';

export const REFUND_LIMIT = 10;

export type RefundCheck = MemberApi['GET /api/refund/check']['reply'];

/** Computed at every read: play continues meanwhile. */
export const refundQuery = queryOptions({
  queryKey: ['refund', 'check'],
  queryFn: () => api('GET /api/refund/check'),
  staleTime: 0,
});
export const refundsQuery = (page: number) =>
  queryOptions({
    queryKey: ['refund', 'list', page],
    queryFn: () => api('POST /api/refund', { body: { page, limit: REFUND_LIMIT } }),
  });

/** Reads everything again that a refund changes. */
export async function refreshRefund(): Promise<void> {
  refreshWallet();
  for (const queryKey of [['statement'], ['bonus']]) queryClient.invalidateQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey: ['refund'] });
}
