import { buttonClass } from '@krapao/ui/components/button.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { WifiOff } from 'lucide';
import { DeadEndBody } from './dead-end.tsx';

/** Written at build time and cached by the worker: the page of a visitor without a connection. It works without a script. */
export function OfflinePage() {
  const { t } = useText();
  return (
    <DeadEndBody icon={WifiOff} title={t('offline.title')} text={t('offline.text')}>
      {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this very page, with its query */}
      <a className={buttonClass('primary')} href="">
        {t('btn.retry')}
      </a>
    </DeadEndBody>
  );
}
