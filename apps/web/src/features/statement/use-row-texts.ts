import type { MemberApi } from '@krapao/contract/member';
import { timeAgo } from '@krapao/ui/text/date-text.ts';
import { type Translate, useText } from '@krapao/ui/text/text.tsx';
import { usePlaceName } from '../../platform/member/names.ts';

export type Row = MemberApi['POST /api/statement']['reply']['statements'][number];

/** "2 minutes ago" in the reader's language. */
export function agoText(t: Translate, when: string, now: number): string {
  const ago = timeAgo(when, now);
  return ago ? t(`time.${ago.unit}`, { count: ago.count }) : t('time.justNow');
}

/** What a reward row came from, in the operators' words. */
const rewardOf = (row: Row): string | undefined =>
  (row.bonus ?? row.promotion ?? row.invite ?? row.refund ?? row.luckydraw)?.description;

/** How a row is named: a deposit by its channel, a transfer by where it went, a reward by what it was. */
export function useRowTitle(): (row: Row) => string {
  const { t } = useText();
  const placeName = usePlaceName();
  return (row) => {
    if (row.statementType === 'transfer') {
      return row.to === 'wallet'
        ? t('statement.transferFrom', { place: placeName(row.from) })
        : t('statement.transferTo', { place: placeName(row.to) });
    }
    if (row.statementType === 'deposit') return t('statement.depositBy', { place: placeName(row.from) });
    // An operator's own entry, or a deposit taken back.
    if (row.statementType === 'withdraw' && row.to === 'manual') return t('statement.takenByStaff');
    return rewardOf(row) || t(`type.${row.statementType}`);
  };
}
