import { cx } from '@krapao/ui/components/class-names.ts';
import { Icon } from '@krapao/ui/components/icon.tsx';
import { Link } from '@krapao/ui/components/link.tsx';
import { RatingStars } from '@krapao/ui/components/rating-stars.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { ExternalLink, FileImage, type IconNode, Phone } from 'lucide';
import { useEffect, useState } from 'react';
import { fileAddress } from '../../platform/file-address.ts';
import styles from './message-content.module.css';
import { type ChatButton, type ChatCard, linkOf, type MessageView } from './message-view.ts';

interface MessageContentProps {
  view: MessageView;
  isOwn: boolean;
  /** Whether replies are still offered below it. */
  hasReplies: boolean;
  onPostback: (title: string, payload: string) => void;
}

/** The content of a message, by its kind. */
export function MessageContent({ view, isOwn, hasReplies, onPostback }: MessageContentProps) {
  const { t } = useText();
  const bubble = cx(styles.bubble, isOwn && styles.own);
  switch (view.kind) {
    case 'text':
      return (
        <p className={bubble}>
          <RatingStars text={view.text} otherwise={<LinkedText of={view.text} />} />
        </p>
      );
    case 'media':
      return <Media key={view.path} view={view} isOwn={isOwn} />;
    case 'buttons':
      return (
        <div className={styles.card}>
          {view.text && <p className={styles.texts}>{view.text}</p>}
          <Buttons of={view.buttons} onPostback={onPostback} />
        </div>
      );
    case 'replies':
      return (
        <>
          {view.text && <p className={bubble}>{view.text}</p>}
          {hasReplies && <Replies of={view.buttons} onPostback={onPostback} />}
        </>
      );
    case 'cards':
      return <Cards cards={view.cards} onPostback={onPostback} />;
    case 'unknown':
      return <p className={cx(bubble, styles.unknown)}>{t('chat.unknown')}</p>;
  }
}

/** A picture that does not load is retried once; then only its name is shown. */
const TRIES = 2;
const AGAIN_MS = 2_000;

function Media({ view, isOwn }: { view: Extract<MessageView, { kind: 'media' }>; isOwn: boolean }) {
  const { t } = useText();
  const [failures, setFailures] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(() => {
      setFailed(false);
      setFailures(failures + 1);
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [hasFailed, failures]);
  const address = fileAddress(view.path);
  const frame = cx(styles.media, isOwn && styles.ownMedia);
  if (view.type === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: what customers film has no captions
      <video className={frame} src={address} controls preload="metadata" aria-label={view.name} />
    );
  return (
    <a className={frame} href={address} target="_blank" rel="noopener noreferrer">
      {view.type === 'image' && failures < TRIES ? (
        <img
          key={failures}
          src={address}
          alt={t('chat.picture', { name: view.name })}
          onError={() => setFailed(true)}
        />
      ) : (
        <span className={styles.file}>
          <Icon of={FileImage} />
          {view.name}
        </span>
      )}
    </a>
  );
}

interface ButtonsProps {
  of: readonly ChatButton[];
  onPostback: (title: string, payload: string) => void;
}

const ICONS: Partial<Record<ChatButton['type'], IconNode>> = { call: Phone };

function Inside({ button, isOutside }: { button: ChatButton; isOutside?: boolean }) {
  const icon = isOutside ? ExternalLink : ICONS[button.type];
  return (
    <>
      {icon && <Icon of={icon} size={20} />}
      <RatingStars text={button.title} otherwise={<LinkedText of={button.title} />} />
    </>
  );
}

/** A web address up to the space or punctuation that ends it. */
const WEB_ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/;

/** A text whose web addresses are links to a page of their own. */
function LinkedText({ of }: { of: string }) {
  return of.split(WEB_ADDRESS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
      <a key={index} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ),
  );
}

/** A button leads inside the app, outside it, to the telephone, or back to the agents; otherwise it is words. */
function Press({ button, onPostback }: { button: ChatButton; onPostback: ButtonsProps['onPostback'] }) {
  const link = linkOf(button);
  if (button.type === 'postback')
    return (
      <button type="button" onClick={() => onPostback(button.title, button.payload)}>
        <Inside button={button} />
      </button>
    );
  if (!link) return <span className={styles.still}>{button.title}</span>;
  if (link.startsWith('/'))
    return (
      <Link to={link}>
        <Inside button={button} />
      </Link>
    );
  const isOutside = !link.startsWith('tel:');
  return (
    <a href={link} {...(isOutside && { target: '_blank', rel: 'noopener noreferrer' })}>
      <Inside button={button} isOutside={isOutside} />
    </a>
  );
}

function Buttons({ of, onPostback }: ButtonsProps) {
  return (
    <ul className={styles.buttons}>
      {of.map((button, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
        <li key={index}>
          <Press button={button} onPostback={onPostback} />
        </li>
      ))}
    </ul>
  );
}

function Replies({ of, onPostback }: ButtonsProps) {
  return (
    <ul className={styles.replies}>
      {of.map((button, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
        <li key={index}>
          <Press button={button} onPostback={onPostback} />
        </li>
      ))}
    </ul>
  );
}

function Cards({
  cards,
  onPostback,
}: {
  cards: readonly ChatCard[];
  onPostback: ButtonsProps['onPostback'];
}) {
  const { hold } = useText();
  return (
    <ul className={styles.cards}>
      {cards.map((card, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
        <li key={index} className={styles.card}>
          {card.picture && <img className={styles.picture} src={fileAddress(card.picture)} alt="" />}
          <div className={styles.texts}>
            <h3>{hold(card.title)}</h3>
            {card.subtitle && <p>{hold(card.subtitle)}</p>}
          </div>
          <Buttons of={card.buttons} onPostback={onPostback} />
        </li>
      ))}
    </ul>
  );
}
