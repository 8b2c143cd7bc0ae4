import { Button, buttonClass } from '@krapao/ui/components/button.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { MessageCircle, Share2 } from 'lucide';
import { config } from '../../platform/config.ts';
import { useSite } from '../../platform/site-info.ts';
import { useQrCode } from '../../platform/use-qr-code.ts';
import styles from './invite.module.css';
import { inviteLink } from './invite-link.ts';

/** In Thailand friends are reached by LINE. */
const isThai = config.variant === 'th';

/** The member's link as a QR to scan, as text to copy, and to share where the browser can. */
export function LinkCard({ memberId }: { memberId: string }) {
  const { t } = useText();
  const link = inviteLink(memberId);
  const code = useQrCode(link, 2);
  const message = t('invite.message', { site: useSite().name });
  const lineAddress = `https://line.me/R/share?text=${encodeURIComponent(`${message} ${link}`)}`;
  // A cancel in the browser's own panel is not a failure.
  const share = () =>
    navigator.share({ title: t('invite.title'), text: message, url: link }).catch(() => undefined);
  return (
    <section className={layout.card}>
      <figure className={styles.code}>
        {code ? <img src={code} alt={t('invite.qr')} /> : <span className={styles.place} />}
        <figcaption className={layout.caption}>{t('invite.scan')}</figcaption>
      </figure>
      <Item
        over={t('invite.link')}
        title={<span className={styles.link}>{link}</span>}
        trail={<CopyButton text={link} label={t('invite.link')} />}
      />
      <div className={styles.share}>
        {isThai && (
          <a
            className={buttonClass('primary', true)}
            href={lineAddress}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon of={MessageCircle} size={20} />
            {t('invite.byLine')}
          </a>
        )}
        {'share' in navigator && (
          <Button tone={isThai ? 'line' : 'primary'} isWide icon={Share2} onClick={share}>
            {t(isThai ? 'invite.byOther' : 'btn.share')}
          </Button>
        )}
      </div>
    </section>
  );
}
