import { Prompt } from '@krapao/ui/components/prompt.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Sparkles } from 'lucide';
import { useEffect } from 'react';
import { startWorker, takeUpdate, useIsUpdateReady } from '../platform/worker.ts';

/** Starts the offline worker, and offers a newer version once one lies ready. Nothing changes unasked. */
export function UpdatePrompt() {
  const { t } = useText();
  const isReady = useIsUpdateReady();
  useEffect(() => {
    startWorker();
  }, []);
  if (!isReady) return null;
  return <Prompt icon={Sparkles} text={t('update.ready')} action={t('update.take')} onPress={takeUpdate} />;
}
