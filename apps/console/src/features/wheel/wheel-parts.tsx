import { useText } from '@krapao/ui/text/text.tsx';
import { Tag } from '../../components/cells.tsx';
import type { Wheel } from './draft.ts';

const TONES = { OPEN: 'ok', DRAFT: 'ink-2', STOPPED: 'bad' } as const;

/** Whether members spin it now, and whether something of it waits for a checker. */
export function WheelStateTag({ of: { state, approval } }: { of: Wheel }) {
  const { t } = useText();
  return (
    <>
      <Tag tone={TONES[state]}>{t(`wheelState.${state}`)}</Tag>
      {approval && <Tag tone="warn">{t('state.APPROVAL')}</Tag>}
    </>
  );
}
