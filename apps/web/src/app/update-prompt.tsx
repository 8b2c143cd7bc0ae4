import { Prompt } from '@krapao/ui/components/prompt.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Sparkles } from 'lucide';
import { useEffect, useState } from 'react';
import { startWorker, takeUpdate, useIsUpdateReady } from '../platform/worker.ts';

/** Starts the offline worker, and offers a newer version once one is ready. It changes only after a confirmation, which may wait for the next visit. */
export function UpdatePrompt() {
  const { t } = useText();
  const isReady = useIsUpdateReady();
  useEffect(() => {
    startWorker();
  }, []);
  const [isPutOff, setPutOff] = useState(false);
  if (!isReady || isPutOff) return null;
  return (
    <Prompt
      icon={Sparkles}
      text={t('update.ready')}
      action={t('update.take')}
      onPress={takeUpdate}
      onDismiss={() => setPutOff(true)}
    />
  );
}
