import { useText } from '@krapao/ui/text/text.tsx';
import { Anchor, Stack, Text } from '@mantine/core';
import { FileText, Link2, MessageSquareReply, Phone } from 'lucide';
import { Icon } from '../../parts/icons.tsx';
import styles from './chats.module.css';
import type { Card, ChatButton } from './types.ts';

interface Wired {
  message_type: string;
  payload?: unknown;
  payloads?: unknown;
}

const ICONS = { web: Link2, call: Phone, postback: MessageSquareReply, other: FileText } as const;

function Buttons({ of: buttons }: { of: readonly ChatButton[] }) {
  return (
    <Stack gap={4}>
      {buttons.map((button) => (
        <span key={`${button.title} ${button.payload}`} className={styles.chip} title={button.payload}>
          <Icon of={ICONS[button.type] ?? FileText} size={14} />
          {button.title}
        </span>
      ))}
    </Stack>
  );
}

function Media({ of: media }: { of: { message: string; fileType: string; filePath: string } }) {
  if (media.fileType === 'image')
    return (
      <a href={media.filePath} target="_blank" rel="noreferrer">
        <img className={styles.picture} src={media.filePath} alt={media.message} loading="lazy" />
      </a>
    );
  if (media.fileType === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: customers' films bear no captions
      <video className={styles.picture} src={media.filePath} controls preload="none" />
    );
  return (
    <Anchor href={media.filePath} target="_blank" rel="noreferrer">
      {media.message}
    </Anchor>
  );
}

/** What a postback says beside its title; it may hold JSON with a title of its own. */
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

/** One message of any kind, drawn as words: nothing in it can run. */
export function MessageBody({ of: message }: { of: Wired }) {
  const { t } = useText();
  switch (message.message_type) {
    case 'text':
      return <p className={styles.words}>{(message.payload as { message: string }).message}</p>;
    case 'media':
      return <Media of={message.payload as { message: string; fileType: string; filePath: string }} />;
    case 'postback':
      return (
        <p className={styles.words}>{postbackText(message.payload as { title: string; message: string })}</p>
      );
    case 'buttons':
    case 'quick_replies': {
      const { message: words, buttons } = message.payload as { message: string; buttons: ChatButton[] };
      return (
        <Stack gap={6}>
          {words && <p className={styles.words}>{words}</p>}
          <Buttons of={buttons} />
        </Stack>
      );
    }
    case 'generic':
      return (
        <Stack gap={8}>
          {(message.payloads as Card[]).map((card) => (
            <Stack key={card.title} gap={4}>
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
