import { useText } from '@krapao/ui/text/text.tsx';
import { Tag } from '../../components/cells.tsx';
import type { Bonus } from './draft.ts';

const TONES = { OPEN: 'ok', SCHEDULED: 'warn', FULL: 'brand', ENDED: 'ink-2', STOPPED: 'bad' } as const;

/** Whether members can receive it now, and why not. */
export function BonusStateTag({ of: { state, approval } }: { of: Bonus }) {
  const { t } = useText();
  return (
    <>
      <Tag tone={TONES[state]}>{t(`bonusState.${state}`)}</Tag>
      {approval && <Tag tone="warn">{t('state.APPROVAL')}</Tag>}
    </>
  );
}

/** Its name in the operator's own language. */
export function useTitleOf(): (of: { title: Bonus['title'] }) => string {
  const { language } = useText();
  return ({ title }) => title[language];
}
