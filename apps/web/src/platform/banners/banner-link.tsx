import { MEMBER_PATHS } from '@krapao/contract/pages';
import { Button, buttonClass } from '@krapao/ui/components/button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { ExternalLink } from 'lucide';
import { navigate } from 'wouter/use-browser-location';

/**
 * The page behind the login that a path leads to. A public page would end the session: its twin for members is opened
 * instead, where there is one.
 */
function memberPage(link: string) {
  const path = link.replace(/\/+$/, '');
  return MEMBER_PATHS.find((known) => known === path || known === `/user${path}`);
}

/** The way a banner shows: to a page of the app, in place of the sheet, or to another site in a tab of its own. */
export function BannerLink({ link, tone = 'primary' }: { link: string; tone?: 'primary' | 'line' }) {
  const { t } = useText();
  const page = memberPage(link);
  if (page)
    return (
      <Button isWide tone={tone} onClick={() => navigate(page, { replace: true })}>
        {t('banner.open')}
      </Button>
    );
  if (!/^https:\/\//i.test(link)) return null;
  return (
    <a className={buttonClass(tone, true)} href={link} target="_blank" rel="noopener noreferrer">
      <Icon of={ExternalLink} size={20} />
      {t('banner.open')}
    </a>
  );
}
