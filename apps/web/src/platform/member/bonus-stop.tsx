import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide';
import { navigate } from 'wouter/use-browser-location';
import { isLate, isWon, missingOf, type Run, runOf } from './bonus-run.ts';
import { useRunTexts } from './bonus-texts.ts';
import { activeBonusQuery } from './queries.ts';

/** The run under way as last known; null without one, undefined until it has been read. */
export function useRun(): Run | null | undefined {
  const { data, isError } = useQuery(activeBonusQuery);
  return data || isError ? runOf(data) : undefined;
}

/** Names the bonus that blocks the action, its progress, and links to it. `then` is the text about what is possible once it has ended. */
export function BonusStop({ run, then }: { run: Run; then: string }) {
  const { t } = useText();
  const texts = useRunTexts();
  const name = texts.name(run);
  const isTimeOver = isLate(run);
  const isMet = isWon(run) && !isTimeOver;
  return (
    <div className={layout.stack}>
      <MessageBox tone="info" icon={Sparkles} title={t(isMet ? 'bonus.stopMet' : 'bonus.stop', { name })}>
        {isTimeOver && <p>{t('bonus.timeOver')}</p>}
        {!isTimeOver && !missingOf(run).isOver && <p>{texts.missing(run)}</p>}
        <p>{then}</p>
      </MessageBox>
      <Button tone={isMet ? 'primary' : 'soft'} isWide onClick={() => navigate('/user/bonus')}>
        {t(isMet ? 'bonus.finish' : 'bonus.see')}
      </Button>
    </div>
  );
}
