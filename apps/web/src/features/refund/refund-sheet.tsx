import { EmptyState } from '@krapao/ui/parts/load-state.tsx';
import { Sheet } from '@krapao/ui/parts/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { HandCoins } from 'lucide';
import { BannersFirst } from '../../platform/banners/banners-first.tsx';
import { closeSheet } from '../../platform/sheet-state.ts';

/** Cashback; closed for now, and it says so. */
export default function RefundSheet() {
  const { t } = useText();
  return (
    <BannersFirst place="refund" title={t('refund.title')}>
      <Sheet title={t('refund.title')} onClose={closeSheet}>
        <EmptyState icon={HandCoins} text={t('error.REFUND_INACTIVE')} />
      </Sheet>
    </BannersFirst>
  );
}
