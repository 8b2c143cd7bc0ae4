import type { MemberApi } from '@krapao/contract/member';
import { limitsQuery, queryClient, takeResponse } from '../../platform/member/queries.ts';

export type PlayLimits = MemberApi['GET /api/limits']['reply'];
export type Limit = PlayLimits['limits'][number];
export type ExclusionLength = MemberApi['POST /api/limits/break']['body']['length'];

/** Shows what a change answered; what is offered to the member may be another now. */
export function takeLimits(limits: PlayLimits): void {
  takeResponse(limitsQuery.queryKey, limits);
  for (const queryKey of [['lookup', 'deposit'], ['banners'], ['slot-account']])
    queryClient.removeQueries({ queryKey });
}
