import { APP_VERSION } from '@krapao/contract/shared';
import { Button, buttonClass } from '@krapao/ui/components/button.tsx';
import { cx } from '@krapao/ui/components/class-names.ts';
import { CopyButton } from '@krapao/ui/components/copy-button.tsx';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { ErrorState, Skeleton } from '@krapao/ui/components/load-state.tsx';
import panel from '@krapao/ui/components/panel.module.css';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { ExternalLink, MessageCircle } from 'lucide';
import { api } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { openSupport } from '../../platform/support.ts';
import { useHeldTexts } from '../../platform/use-held-texts.ts';
import { useLoad } from '../../platform/use-load.ts';
import styles from './contact.module.css';

/** The contact details, and whether the chat is offered. */
const loadContact = async () => {
  const [contact, hasChat] = await Promise.all([
    api('GET /api/lookup/contact'),
    api('GET /api/lookup/enableChatWidget').catch(() => false),
  ]);
  return { ...contact, hasChat };
};

/**
 * The ground of the code, as large as it will be and in its place; written into the page, so that it is there with the
 * first paint and nothing moves when the rest comes.
 */
function Placeholder() {
  return (
    <div className={styles.waiting}>
      <div className={cx(layout.card, styles.card)}>
        <div className={cx(panel.panel, styles.panel)}>
          <span className={styles.blank} />
        </div>
        <div className={styles.account} />
      </div>
      <Skeleton heights={[52, 56]} />
    </div>
  );
}

/** How to reach support: the text, the chat app's QR and link, and the version. */
export function ContactView() {
  const { t, hold } = useText();
  const { data, error, retry } = useLoad(loadContact);
  useHeldTexts(data !== undefined);
  const hasError = error !== null;
  return (
    <>
      <div>
        <h1>{t('contact.title')}</h1>
        {!hasError && (
          // Reserves one text row for it.
          <p className={cx(layout.muted, styles.text)}>{data ? hold(data.contactText) : '\u00a0'}</p>
        )}
      </div>
      {!data && (hasError ? <ErrorState text={errorText(t, error)} onRetry={retry} /> : <Placeholder />)}
      {data && (
        <section className={cx(layout.card, styles.card)}>
          {data.lineQR && (
            <div className={cx(panel.panel, styles.panel)}>
              <img src={data.lineQR} width="172" height="172" alt={t('contact.scan')} />
              <p>{t('contact.scan')}</p>
            </div>
          )}
          <Item
            lead={<BadgeIcon icon={MessageCircle} />}
            title={data.lineName}
            detail={t('contact.account')}
            trail={<CopyButton text={data.lineName} label={t('contact.account')} />}
          />
        </section>
      )}
      {data && /^https?:\/\//i.test(data.lineLink) && (
        <a
          className={buttonClass('primary', true)}
          href={data.lineLink}
          target="_blank"
          rel="noopener noreferrer"
        >
          <Icon of={ExternalLink} size={20} />
          {t('contact.open')}
        </a>
      )}
      {data?.hasChat && (
        <Button tone="line" isWide icon={MessageCircle} onClick={() => openSupport()}>
          {t('contact.chatHere')}
        </Button>
      )}
      <p className={cx(layout.caption, layout.center)}>{t('contact.version', { version: APP_VERSION })}</p>
    </>
  );
}
