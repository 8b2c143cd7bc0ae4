import { Button, buttonClass } from '@krapao/ui/components/button.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { MessageCircle, Unplug } from 'lucide';
import { openSupport } from '../../platform/support.ts';
import { DeadEnd } from './dead-end.tsx';

/** The service or this account is gone. Who has money left can still reach support. */
export default function TerminatedPage() {
  const { t } = useText();
  return (
    <DeadEnd
      icon={Unplug}
      tab="Page not found"
      title={t('error.terminatedTitle')}
      text={t('deadEnd.terminated')}
    >
      <Button icon={MessageCircle} isWide onClick={() => openSupport()}>
        {t('contact.chatHere')}
      </Button>
      <Link to="/contact" className={buttonClass('line', true)}>
        {t('contact.title')}
      </Link>
    </DeadEnd>
  );
}
