import { codeOf } from '@krapao/ui/api/api-error.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { EmptyState } from '@krapao/ui/components/load-state.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { CirclePause } from 'lucide';
import { navigate } from 'wouter/use-browser-location';
import { playErrorText } from './error-text.ts';

/** Whether a refusal comes from what the member set themselves: trying again is no use. */
export const isPlayStop = (error: unknown): boolean =>
  ['LIMIT_REACHED', 'SELF_EXCLUDED'].includes(codeOf(error));

/** Says which of the member's own limits stands in the way and until when, and leads to them. */
export function PlayStop({ error }: { error: unknown }) {
  const { t } = useText();
  return (
    <>
      <EmptyState icon={CirclePause} text={playErrorText(t, error)} />
      <Button tone="soft" isWide onClick={() => navigate('/user/limits')}>
        {t('limit.page')}
      </Button>
    </>
  );
}
