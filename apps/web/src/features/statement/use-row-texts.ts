import type { MemberApi } from '@krapao/contract/member';
import { useText } from '@krapao/ui/text/text.tsx';
import { usePlaceName } from '../../platform/member/names.ts';

export type Row = MemberApi['POST /api/statement']['reply']['statements'][number];

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
