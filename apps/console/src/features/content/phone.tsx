import { type Language, languageTag } from '@krapao/contract/shared';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Text } from '@mantine/core';
import { renderSVG } from 'uqr';
import styles from './phone.module.css';
import type { Fields, Key } from './types.ts';

/** The chat link's QR, as the server draws it where no picture was chosen. */
const drawn = (link: string): string | null =>
  link === '' ? null : `data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`;

function Contact({ of, picture }: { of: Fields; picture: string | null }) {
  const shown = picture ?? drawn(of.lineLink ?? '');
  return (
    <>
      <p className={styles.plain}>{of.contactText}</p>
      {shown && <img className={styles.qr} src={shown} alt="" />}
      <p className={styles.card}>
        <strong>{of.lineName}</strong>
        <br />
        {of.lineLink}
      </p>
    </>
  );
}

function Screen({ of, contentKey, picture }: { of: Fields; contentKey: Key; picture: string | null }) {
  const { t } = useText();
  if (contentKey === 'contact') return <Contact of={of} picture={picture} />;
  if (contentKey === 'info') return <p className={styles.card}>{of.website}</p>;
  const parts = contentKey === 'notice' || contentKey === 'news' ? [of.notice ?? ''] : (of.parts ?? []);
  const written = parts.filter((part) => part.trim() !== '');
  if (written.length === 0) return <Text c="dimmed">{t('content.nothing')}</Text>;
  return written.map((part) => (
    <section key={part} className={styles.card}>
      <CleanHtml markup={part} />
    </section>
  ));
}

/** How a member's phone shows these words: cleaned by the same part that the member app draws them with. */
export function Phone(props: {
  of: Fields;
  contentKey: Key;
  language: Language;
  /** The chat app's picture as an address, where one was chosen. */
  picture: string | null;
  title: string;
}) {
  const { t } = useText();
  return (
    <section className={styles.phone} aria-label={t('content.preview')} lang={languageTag(props.language)}>
      <div className={styles.bar}>{props.contentKey === 'info' ? props.of.name : props.title}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
      <div className={styles.body} tabIndex={0}>
        <Screen {...props} />
      </div>
    </section>
  );
}
