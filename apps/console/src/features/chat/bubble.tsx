import { RatingStars } from '@krapao/ui/components/rating-stars.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Stack, Text } from '@mantine/core';
import { FileText, Link2, MessageSquareReply, Phone } from 'lucide';
import { useRef } from 'react';
import { Icon } from '../../components/icons.tsx';
import styles from './chat.module.css';
import type { Card, ChatButton } from './types.ts';

interface Wired {
  message_type: string;
  payload?: unknown;
  payloads?: unknown;
}

const SOON_MS = 60_000;
const isSameFile = (link: string, other: string): boolean => link.split('?')[0] === other.split('?')[0];
/** Whether a signed link opens for another minute. */
const isOpen = (link: string): boolean =>
  Number(new URLSearchParams(link.split('?')[1]).get('until')) > Date.now() + SOON_MS;

const ICONS = { web: Link2, call: Phone, postback: MessageSquareReply, other: FileText } as const;

function Buttons({ of: buttons }: { of: readonly ChatButton[] }) {
  return (
    <Stack gap={4}>
      {buttons.map((button) => (
        <span key={`${button.title} ${button.payload}`} className={styles.chip} title={button.payload}>
          <Icon of={ICONS[button.type] ?? FileText} size={14} />
          <RatingStars text={button.title} otherwise={button.title} />
        </span>
      ))}
    </Stack>
  );
}

/** A file's link changes with every read; the current one is used while it is valid, so that no film restarts. */
function useSteadyLink(link: string): string {
  const stored = useRef(link);
  if (!isSameFile(stored.current, link) || !isOpen(stored.current)) stored.current = link;
  return stored.current;
}

function Media({ of: media }: { of: { message: string; fileType: string; filePath: string } }) {
  const link = useSteadyLink(media.filePath);
  if (media.fileType === 'image')
    return (
      <a href={link} target="_blank" rel="noreferrer">
        <img className={styles.picture} src={link} alt={media.message} loading="lazy" />
      </a>
    );
  if (media.fileType === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: customers' films bear no captions
      <video className={styles.picture} src={link} controls preload="metadata" aria-label={media.message} />
    );
  return (
    <Anchor href={link} target="_blank" rel="noreferrer">
      {media.message}
    </Anchor>
  );
}

/** A card's picture, shown while its link is renewed. */
function CardPicture({ path, name }: { path: string; name: string }) {
  const link = useSteadyLink(path);
  return <img className={styles.picture} src={link} alt={name} />;
}

/** The text of a postback beside its title; it may hold JSON with a title of its own. */
function postbackText({ title, message }: { title: string; message: string }): string {
  try {
    const parsed: unknown = JSON.parse(message);
    const inner =
      typeof parsed === 'object' && parsed !== null ? (parsed as { title?: unknown }).title : null;
    return typeof inner === 'string' ? inner : title;
  } catch {
    return title;
  }
}

function Postback({ of }: { of: { title: string; message: string } }) {
  const text = postbackText(of);
  return (
    <p className={styles.texts}>
      <RatingStars text={text} otherwise={text} />
    </p>
  );
}

/** One message of any kind, drawn as words: nothing in it can run. */
export function MessageBody({ of: message }: { of: Wired }) {
  const { t } = useText();
  switch (message.message_type) {
    case 'text':
      return <p className={styles.texts}>{(message.payload as { message: string }).message}</p>;
    case 'media':
      return <Media of={message.payload as { message: string; fileType: string; filePath: string }} />;
    case 'postback':
      return <Postback of={message.payload as { title: string; message: string }} />;
    case 'buttons':
    case 'quick_replies': {
      const { message: texts, buttons } = message.payload as { message: string; buttons: ChatButton[] };
      return (
        <Stack gap={6}>
          {texts && <p className={styles.texts}>{texts}</p>}
          <Buttons of={buttons} />
        </Stack>
      );
    }
    case 'generic':
      return (
        <Stack gap={8}>
          {(message.payloads as Card[]).map((card) => (
            <Stack key={card.title} gap={4}>
              {card.image_url && <CardPicture path={card.image_url} name={card.title} />}
              <Text size="sm" fw={600}>
                {card.title}
              </Text>
              {card.subtitle && <Text size="sm">{card.subtitle}</Text>}
              <Buttons of={card.buttons} />
            </Stack>
          ))}
        </Stack>
      );
    default:
      return <Text size="sm">{t('chats.unknown')}</Text>;
  }
}
