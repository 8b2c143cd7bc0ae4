import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import type { Translate } from '@krapao/ui/text/text.tsx';
import { errorText, type Figures } from '../error-text.ts';
import { sumText } from '../sum-text.ts';

/** What a member's own limit leaves, or until when play is excluded, where the server reports it. */
function ownLimitText(t: Translate, code: string, data: Record<string, unknown>): string | null {
  const { until, left, currency } = data;
  if (code === 'SELF_EXCLUDED' && typeof until === 'string')
    return t('limit.excludedUntil', { time: dateTimeText(until) });
  if (code === 'LIMIT_REACHED' && typeof left === 'number' && left > 0)
    return t('limit.left', { left: sumText(t, left, currency === 'LAK' ? 'LAK' : 'BAHT') });
  return null;
}

/** As `errorText`, where the member's own limits or exclusion may be the reason. */
export function playErrorText(t: Translate, error: unknown, figures?: Figures): string {
  const data = error instanceof ApiError ? error.data : {};
  return ownLimitText(t, codeOf(error), data) ?? errorText(t, error, figures);
}
