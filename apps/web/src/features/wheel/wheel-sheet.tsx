import { EmptyState } from '@krapao/ui/parts/load-state.tsx';
import { Sheet } from '@krapao/ui/parts/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { LoaderPinwheel } from 'lucide';
import { closeSheet } from '../../platform/sheet-state.ts';

/** The lucky wheel; closed for now, and it says so. */
export default function WheelSheet() {
  const { t } = useText();
  return (
    <Sheet title={t('wheel.title')} onClose={closeSheet}>
      <EmptyState icon={LoaderPinwheel} text={t('error.SPINWHEEL_INACTIVE')} />
    </Sheet>
  );
}
