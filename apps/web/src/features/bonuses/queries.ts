import type { MemberApi } from '@krapao/contract/member';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { refreshWallet } from '../../platform/member/wallet.ts';

export type Bonus = MemberApi['GET /api/bonus']['reply'][number];
export type Promotion = MemberApi['GET /api/promotion/find/{code}']['reply'];
/** What a bonus and a promotion have in common. */
export type Offer = Promotion;

export const bonusesQuery = queryOptions({
  queryKey: ['bonus', 'list'],
  queryFn: () => api('GET /api/bonus'),
  staleTime: 0,
});
export const promotionQuery = (code: string) =>
  queryOptions({
    queryKey: ['bonus', 'promotion', code],
    queryFn: () => api('GET /api/promotion/find/{code}', { params: { code } }),
    // An unknown code counts against the caller: it is asked for once, until the member types it again.
    retry: false,
    enabled: ({ state }) => codeOf(state.error) !== 'NO_PROMOTION',
    gcTime: 0,
  });
export const noticeQuery = queryOptions({
  queryKey: ['lookup', 'notice'],
  queryFn: () => api('GET /api/lookup/notice'),
});

/** Reads everything about bonuses again, and the wallet, because one was received or ended. */
export async function refreshBonuses(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['bonus'] }),
    queryClient.invalidateQueries({ queryKey: ['statement'] }),
    refreshWallet(),
  ]);
}
