import { buttonClass } from '@krapao/ui/components/button.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { MapPinOff } from 'lucide';
import { DeadEnd } from './dead-end.tsx';

/** Any address that leads nowhere. */
export default function NotFoundPage() {
  const { t } = useText();
  return (
    <DeadEnd
      icon={MapPinOff}
      tab="Page Not Found"
      title={t('error.pageNotFound')}
      text={t('deadEnd.notFound')}
    >
      <Link to="/" className={buttonClass('primary')}>
        {t('nav.home')}
      </Link>
    </DeadEnd>
  );
}
