import { Item } from '@krapao/ui/components/item.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { ImagePlus } from 'lucide';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { slipKey } from './channels.ts';

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

/**
 * The same where the member's own limits leave no channel: a payment that was made before is credited all the same.
 * Nothing for currencies whose banks put no code on their slips.
 */
export function SlipOnly() {
  const { currency } = useKnownWallet().wallet;
  if (currency !== 'BAHT') return null;
  return (
    <div className={`${layout.card} ${layout.list}`}>
      <SlipChannel />
    </div>
  );
}
