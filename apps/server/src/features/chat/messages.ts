import { randomUUID } from 'node:crypto';
import { CHAT_TEXT_MAX, isChatLink } from '@krapao/contract/shared';
import type { PoolClient } from '../../platform/database/db.ts';
import type { Files } from '../../platform/files.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findUnused, takeFile } from './file-queries.ts';
import type { PlainMessageRow } from './queries.ts';

interface Button {
  title: string;
  type: string;
  payload: string;
}

interface Media {
  message: string;
  url: boolean;
  fileType: 'image' | 'video' | 'file';
  filePath: string;
}

/** A message of any kind as received. */
export interface Wired {
  message_type: string;
  payload?: unknown;
  payloads?: unknown;
  deliver?: { id: string; status?: string };
}

/** A stored message: its preview in lists, and its file. */
export interface Checked {
  message: { message_type: string; payload?: unknown; payloads?: unknown };
  words: string;
  clientId: string;
  fileKey: string | null;
}

/** Represents a message without text in lists: a conversation without messages has not begun. */
const WORDLESS = '…';

const wrong = (field: string) => new Refusal('INVALID_REQUEST', { field });

/** Key of a file in a link of ours. */
const keyOf = (path: string): string | null =>
  /^\/api\/file\/([\w-]{24}(?:\.mp4)?)(?:\?|$)/.exec(path)?.[1] ?? null;

function requireButtons(buttons: readonly Button[]): void {
  for (const { type, payload } of buttons)
    if ((type === 'web' || type === 'call') && !isChatLink(payload)) throw wrong('buttons');
}

/** A text without blanks around it; throws INVALID_REQUEST for an empty one and for one too long. */
function textOf(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || [...trimmed].length > CHAT_TEXT_MAX) throw wrong('message');
  return trimmed;
}

/** The text beside buttons; may be empty with buttons. */
function contentWith({ message, buttons }: { message: string; buttons: Button[] }) {
  requireButtons(buttons);
  if (buttons.length === 0) throw wrong('buttons');
  return { payload: { message: message.trim(), buttons }, words: message.trim() || buttons[0]!.title };
}

interface Card {
  image_url: string;
  title: string;
  subtitle: string;
  buttons: Button[];
}

/** A stored card: an uploaded picture by its key, one of the site's own by its path. */
function checkCard(card: Card): { card: Card; key: string | null } {
  const { image_url, title, buttons } = card;
  requireButtons(buttons);
  if (title.trim() === '') throw wrong('title');
  const key = keyOf(image_url);
  if (key) return { card: { ...card, image_url: key }, key };
  if (image_url !== '' && !/^\/(media|art)\/(?!.*\.\.)[\w./-]+$/.test(image_url)) throw wrong('image_url');
  return { card, key: null };
}

/** Validates a message; throws INVALID_REQUEST with the field that is wrong. */
export function checkMessage(wired: Wired): Checked {
  const clientId = wired.deliver?.id ?? randomUUID();
  const stored = (
    fields: Omit<Checked['message'], 'message_type'>,
    words: string,
    fileKey: string | null = null,
  ) => ({
    message: { message_type: wired.message_type, ...fields },
    words,
    clientId,
    fileKey,
  });
  switch (wired.message_type) {
    case 'text': {
      const message = textOf((wired.payload as { message: string }).message);
      return stored({ payload: { message } }, message);
    }
    case 'postback': {
      const payload = wired.payload as { title: string; message: string };
      return stored({ payload }, payload.title.trim() || payload.message.trim() || WORDLESS);
    }
    case 'buttons':
    case 'quick_replies': {
      const { payload, words } = contentWith(wired.payload as { message: string; buttons: Button[] });
      return stored({ payload }, words);
    }
    case 'generic': {
      const checked = (wired.payloads as Card[]).map(checkCard);
      const keys = checked.flatMap(({ key }) => key ?? []);
      // A message takes one file.
      if (keys.length > 1) throw wrong('image_url');
      return stored({ payloads: checked.map(({ card }) => card) }, checked[0]!.card.title, keys[0]);
    }
    case 'media': {
      const media = wired.payload as Media;
      const key = keyOf(media.filePath);
      if (!key) throw wrong('filePath');
      return stored(
        { payload: { ...media, url: true, filePath: key } },
        media.message.trim() || WORDLESS,
        key,
      );
    }
    default:
      throw wrong('message_type');
  }
}

/** Whether the file a message names may still be named; throws INVALID_REQUEST when it is gone or another's. */
export async function requireFile(tx: PoolClient, { fileKey, message }: Checked): Promise<void> {
  if (!fileKey) return;
  const kind = await findUnused(tx, fileKey);
  if (message.message_type === 'generic' && kind !== 'image') throw wrong('image_url');
  if (message.message_type === 'media' && kind !== (message.payload as Media).fileType)
    throw wrong('filePath');
}

/** Gives the file to the message that names it, until a time or for good. */
export async function keepFile(
  tx: PoolClient,
  { fileKey }: Checked,
  messageId: bigint,
  storedUntil: Date | null = null,
): Promise<void> {
  if (fileKey && !(await takeFile(tx, { key: fileKey, messageId, storedUntil }))) throw wrong('filePath');
}

/** A stored message as it is sent; files by a new link. */
export function wiredMessage(files: Pick<Files, 'link'>, { message, client_id }: PlainMessageRow) {
  // A stored message has arrived; the other states exist only on the sender's screen.
  const deliver = { id: client_id, status: 'succeed' };
  if (message.message_type === 'generic') {
    // A key holds no slash; every path begins with one.
    const linkOf = (image: string) => (image === '' || image.startsWith('/') ? image : files.link(image));
    const payloads = (message.payloads as Card[]).map((card) => ({
      ...card,
      image_url: linkOf(card.image_url),
    }));
    return { ...message, payloads, deliver };
  }
  if (message.message_type !== 'media') return { ...message, deliver };
  const media = message.payload as Media;
  return { ...message, payload: { ...media, filePath: files.link(media.filePath) }, deliver };
}
