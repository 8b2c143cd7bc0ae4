import { Button } from '@krapao/ui/components/button.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { openSheet } from '../../platform/sheet-state.ts';
import { ALL_KEY } from './channels.ts';

/** The way from the member's usual channel, which was opened at once, to all of them. */
export function AllChannels() {
  const { t } = useText();
  return (
    <Button tone="text" isWide onClick={() => openSheet('deposit', ALL_KEY)}>
      {t('deposit.allChannels')}
    </Button>
  );
}
