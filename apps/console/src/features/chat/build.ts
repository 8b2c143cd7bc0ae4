import { isChatLink } from '@krapao/contract/shared';
import type { ChatButton, MessageContent } from './types.ts';

/** Kinds of message that agents put together. */
export type Built = 'buttons' | 'quick_replies' | 'generic';

/** Words, or a card's title, the line below that title, and its picture as uploaded or ''. */
export interface MessageFields {
  message: string;
  subtitle: string;
  picture: string;
}

export const BUTTONS_MAX = 5;

/** A telephone as people write it becomes a link; all else stays. */
const linkOf = ({ type, payload }: ChatButton): string => {
  const link = payload.trim();
  if (type !== 'call' || link.startsWith('tel:')) return link;
  return `tel:${link.replace(/[\s()]/g, '')}`;
};

/** Whether a button that leads somewhere leads where the server lets it. */
export const isLinkGood = (button: ChatButton): boolean =>
  (button.type !== 'web' && button.type !== 'call') || isChatLink(linkOf(button));

/** The message as it was put together; null while something is missing or leads nowhere safe. */
export function wiredOf(
  kind: Built,
  texts: MessageFields,
  buttons: readonly ChatButton[],
): MessageContent | null {
  const made = buttons.map((button) =>
    kind === 'quick_replies'
      ? { ...button, type: 'postback' as const, payload: button.title }
      : { ...button, payload: linkOf(button) },
  );
  const message = texts.message.trim();
  const isGood = made.every((button) => button.title.trim() !== '' && isLinkGood(button));
  if (!isGood || message === '') return null;
  if (kind === 'generic')
    return {
      message_type: 'generic',
      payloads: [
        { image_url: texts.picture, title: message, subtitle: texts.subtitle.trim(), buttons: made },
      ],
    };
  if (made.length === 0) return null;
  return { message_type: kind, payload: { message, buttons: made } };
}
