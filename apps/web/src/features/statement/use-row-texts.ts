import type { MemberApi } from '@krapao/contract/member';
import { useText } from '@krapao/ui/text/text.tsx';
import { usePlaceName } from '../../platform/member/names.ts';

export type Row = MemberApi['POST /api/statement']['reply']['statements'][number];

const ORIGIN_IDS = { report: 'statement.reported', return: 'statement.returned' } as const;

/** How a row is named: a deposit by its channel, a transfer by where it went, a reward by what it was. */
export function useRowTitle(): (row: Row) => string {
  const { t, hold } = useText();
  const placeName = usePlaceName();
  /** The source of a reward row: our own name where there is one kind only, else the operators' text. */
  const rewardOf = (row: Row): string | undefined => {
    if (row.invite) return t('invite.bonus');
    if (row.refund) return t('bonus.refund');
    const description = (row.bonus ?? row.promotion ?? row.luckydraw)?.description;
    return description && hold(description);
  };
  return (row) => {
    const type = t(`type.${row.statementType}`);
    if (row.statementType === 'transfer') {
      return row.to === 'wallet'
        ? t('statement.transferFrom', { place: placeName(row.from) })
        : t('statement.transferTo', { place: placeName(row.to) });
    }
    if (row.statementType === 'deposit' && row.from === 'manual')
      return t(row.origin ? ORIGIN_IDS[row.origin] : 'statement.byStaff');
    if (row.statementType === 'deposit') return t('statement.depositBy', { place: placeName(row.from) });
    // An operator's own entry, or a deposit taken back.
    if (row.statementType === 'withdraw' && row.to === 'manual') return t('statement.takenByStaff');
    const reward = rewardOf(row);
    // A run's end has the name of its beginning.
    return row.statementType === 'finish_bonus' && reward ? `${type} · ${reward}` : reward || type;
  };
}
