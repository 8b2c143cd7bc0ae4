import { useText } from '@krapao/ui/text/text.tsx';
import { Unplug } from 'lucide';
import { DeadEnd } from './dead-end.tsx';

/** The service or this account is gone. */
export default function TerminatedPage() {
  const { t } = useText();
  return (
    <DeadEnd icon={Unplug} tab="Page not found" title={t('error.terminatedTitle')} text={t('error.gone')} />
  );
}
