import type { MemberApi } from '@krapao/contract/member';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { CirclePause } from 'lucide';
import { navigate } from 'wouter/use-browser-location';
import { playErrorText } from './error-text.ts';
import { limitsQuery, queryClient } from './queries.ts';

/** Whether a refusal comes from what the member set themselves: trying again is no use. */
export const isPlayStop = (error: unknown): boolean =>
  ['LIMIT_REACHED', 'SELF_EXCLUDED'].includes(codeOf(error));

/** After such a refusal reads again what keeps the member from play, so that it is not offered any longer. */
export function refreshPlayStop(error: unknown): void {
  if (!isPlayStop(error)) return;
  for (const queryKey of [limitsQuery.queryKey, ['slot-account']])
    queryClient.invalidateQueries({ queryKey });
}

/** What keeps the member from play now, by their own limits, as a call would refuse; null when nothing does. */
export function playStopOf({
  limits,
  break: exclusion,
}: MemberApi['GET /api/limits']['reply']): ApiError | null {
  if (exclusion) return new ApiError('SELF_EXCLUDED', { until: exclusion.until }, 403);
  const isUsedUp = limits.some(
    ({ kind, amount, used }) => kind === 'loss' && amount !== null && (used ?? 0) >= amount,
  );
  return isUsedUp ? new ApiError('LIMIT_REACHED', {}, 403) : null;
}

/** The same as last known; null until it has been read. */
export function usePlayStop(): ApiError | null {
  const { data } = useQuery(limitsQuery);
  return data ? playStopOf(data) : null;
}

/** Names the member's own limit that blocks the action and its end, and links to the limits. */
export function PlayStop({ error }: { error: unknown }) {
  const { t } = useText();
  return (
    <>
      <EmptyState icon={CirclePause} text={playErrorText(t, error)} />
      <Button tone="soft" isWide onClick={() => navigate('/user/limits')}>
        {t('limit.page')}
      </Button>
    </>
  );
}
