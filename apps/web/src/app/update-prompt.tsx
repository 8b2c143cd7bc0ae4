import { Button } from '@krapao/ui/parts/button.tsx';
import { Icon } from '@krapao/ui/parts/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Sparkles } from 'lucide';
import { useEffect } from 'react';
import { startWorker, takeUpdate, useIsUpdateReady } from '../platform/worker.ts';
import styles from './update-prompt.module.css';

/** Starts the offline worker, and offers a newer version once one lies ready. Nothing changes unasked. */
export default function UpdatePrompt() {
  const { t } = useText();
  const isReady = useIsUpdateReady();
  useEffect(() => {
    startWorker();
  }, []);
  if (!isReady) return null;
  return (
    <div className={styles.prompt} role="status">
      <Icon of={Sparkles} size={20} />
      <span>{t('update.ready')}</span>
      <Button isSmall tone="soft" onClick={takeUpdate}>
        {t('update.take')}
      </Button>
    </div>
  );
}
