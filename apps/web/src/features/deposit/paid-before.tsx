import { Item } from '@krapao/ui/components/item.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { ImagePlus, MessageSquareText } from 'lucide';
import { slipLookupQuery } from '../../platform/member/queries.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { reportKey, slipKey } from './channels.ts';

/** The way to hand in the slip of a transfer that has not arrived. */
export function SlipChannel() {
  const { t } = useText();
  return (
    <Item
      lead={<BadgeIcon icon={ImagePlus} tone="quiet" />}
      title={t('deposit.slip')}
      detail={t('slip.afterTransfer')}
      onPress={() => openSheet('deposit', slipKey())}
    />
  );
}

/** What is left to do about a payment that was made before, where no account is offered: its slip, or a report. */
export function PaidBefore({ hasSlips, isManual }: { hasSlips: boolean; isManual: boolean }) {
  const { t } = useText();
  if (!hasSlips && !isManual) return null;
  return (
    <div className={`${layout.card} ${layout.list}`}>
      {hasSlips && <SlipChannel />}
      {isManual && (
        <Item
          lead={<BadgeIcon icon={MessageSquareText} tone="quiet" />}
          title={t('deposit.iPaid')}
          detail={t('slip.afterTransfer')}
          onPress={() => openSheet('deposit', reportKey())}
        />
      )}
    </div>
  );
}

/**
 * The same where the member's own limits leave no channel: a payment that was made before is credited all the same.
 * Only Thai banks put a code on their slips.
 */
export function PaidDuringStop() {
  const { currency } = useKnownWallet().wallet;
  const { data } = useQuery(slipLookupQuery);
  return <PaidBefore hasSlips={currency === 'BAHT'} isManual={data?.isManual === true} />;
}
