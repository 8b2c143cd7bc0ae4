import type { MemberApi } from '@krapao/contract/member';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api.ts';
import { queryClient, spinActiveQuery } from '../../platform/member/queries.ts';

export type Wheel = NonNullable<MemberApi['GET /api/spinwheel/setup']['reply']['result']['activeSpinwheel']>;
export type Setup = MemberApi['GET /api/spinwheel/setup']['reply']['result'];
export type Coupon = MemberApi['GET /api/spinwheel/coupon']['reply']['result'][number];

export const setupQuery = queryOptions({
  queryKey: ['wheel', 'setup'],
  queryFn: async () => (await api('GET /api/spinwheel/setup')).result,
  staleTime: 0,
});
export const couponsQuery = queryOptions({
  queryKey: ['wheel', 'coupons'],
  queryFn: async () => (await api('GET /api/spinwheel/coupon')).result,
  staleTime: 0,
});

/** Reads the wheel, the coins and the coupons again, and what the rest of the app shows of them. */
export function reloadWheel(): void {
  queryClient.invalidateQueries({ queryKey: ['wheel'] });
  queryClient.invalidateQueries({ queryKey: spinActiveQuery.queryKey });
}

/** What a spin or redemption brought; a refusal inside a response is thrown like any other. */
export function resultOf<T>(reply: {
  success: boolean;
  error?: string;
  data?: Record<string, unknown>;
  result?: T;
}): T {
  if (reply.success && reply.result) return reply.result;
  throw new ApiError(reply.error ?? 'generic', reply.data, 200);
}
