import { Button } from '@krapao/ui/components/button.tsx';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { svgAddress } from '@krapao/ui/components/picture.ts';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { Share2 } from 'lucide';
import { renderSVG } from 'uqr';
import styles from './invite.module.css';
import { inviteLink } from './invite-link.ts';

/** The member's link as a QR to scan, as text to copy, and to share where the browser can. */
export function LinkCard({ memberId }: { memberId: string }) {
  const { t } = useText();
  const link = inviteLink(memberId);
  // Somebody who changes their mind in the browser's own panel has not failed.
  const share = () => navigator.share({ title: t('invite.title'), url: link }).catch(() => undefined);
  return (
    <section className={layout.card}>
      <figure className={styles.code}>
        <img src={svgAddress(renderSVG(link, { border: 2 }))} width="168" height="168" alt={t('invite.qr')} />
        <figcaption className={layout.caption}>{t('invite.scan')}</figcaption>
      </figure>
      <Item
        over={t('invite.link')}
        title={<span className={styles.link}>{link}</span>}
        trail={<CopyButton text={link} label={t('invite.link')} />}
      />
      {'share' in navigator && (
        <div className={styles.share}>
          <Button tone="line" isWide icon={Share2} onClick={share}>
            {t('btn.share')}
          </Button>
        </div>
      )}
    </section>
  );
}
