import { isChatLink } from '@krapao/contract/shared';

export interface ChatButton {
  title: string;
  type: 'web' | 'call' | 'postback' | 'other';
  payload: string;
}

export interface ChatCard {
  picture: string;
  title: string;
  subtitle: string;
  buttons: ChatButton[];
}

/** What is drawn of a message. */
export type MessageView =
  | { kind: 'text'; text: string }
  | { kind: 'buttons'; text: string; buttons: ChatButton[] }
  | { kind: 'replies'; text: string; buttons: ChatButton[] }
  | { kind: 'media'; name: string; type: 'image' | 'video' | 'file'; path: string }
  | { kind: 'cards'; cards: ChatCard[] }
  | { kind: 'unknown' };

type Loose = Record<string, unknown>;

const loose = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function buttonOf(value: unknown): ChatButton | null {
  const { title, type, payload } = loose(value);
  if (text(title) === '') return null;
  const known = type === 'web' || type === 'call' || type === 'postback' ? type : 'other';
  return { title: text(title), type: known, payload: text(payload) };
}

const buttonsOf = (value: unknown): ChatButton[] =>
  list(value)
    .map(buttonOf)
    .filter((button) => button !== null);

function cardOf(value: unknown): ChatCard {
  const { image_url, title, subtitle, buttons } = loose(value);
  return {
    picture: text(image_url),
    title: text(title),
    subtitle: text(subtitle),
    buttons: buttonsOf(buttons),
  };
}

/** The title of a tap; it may be hidden in JSON. */
function titleOf({ title, message }: Loose): string {
  if (text(title) !== '') return text(title);
  try {
    return text(loose(JSON.parse(text(message))).title) || text(message);
  } catch {
    return text(message);
  }
}

/** How a message is drawn; one of a kind or a shape that this version does not know is `unknown`, never an error. */
export function viewOf(message: unknown): MessageView {
  const { message_type, payload, payloads } = loose(message);
  const content = loose(payload);
  switch (message_type) {
    case 'text':
      return text(content.message) ? { kind: 'text', text: text(content.message) } : { kind: 'unknown' };
    case 'postback':
      return titleOf(content) ? { kind: 'text', text: titleOf(content) } : { kind: 'unknown' };
    case 'buttons':
      return { kind: 'buttons', text: text(content.message), buttons: buttonsOf(content.buttons) };
    case 'quick_replies':
      return { kind: 'replies', text: text(content.message), buttons: buttonsOf(content.buttons) };
    case 'generic':
      return { kind: 'cards', cards: list(payloads).map(cardOf) };
    case 'media': {
      const type = content.fileType === 'image' || content.fileType === 'video' ? content.fileType : 'file';
      return { kind: 'media', name: text(content.message), type, path: text(content.filePath) };
    }
    default:
      return { kind: 'unknown' };
  }
}

/** Where a button leads: an address, or null for one that leads nowhere safe. */
export function linkOf({ type, payload }: ChatButton): string | null {
  if (type === 'web') return isChatLink(payload) && !payload.startsWith('tel:') ? payload : null;
  if (type !== 'call') return null;
  const address = payload.startsWith('tel:') ? payload : `tel:${payload.replace(/[\s()]/g, '')}`;
  return isChatLink(address) ? address : null;
}
