/** Message contents of a conversation, for both sides. */
import { type TSchema, Type } from 'typebox';
import { CHAT_TEXT_MAX } from './chat.ts';
import { Text } from './schemas.ts';

const closed = { additionalProperties: false } as const;

export const CHAT_BUTTON_TYPES = ['web', 'call', 'postback', 'other'] as const;

/** web: an address or a path of the app; call: a phone number; postback: sent back unchanged; other: text only. */
export const ChatButton = Type.Object(
  {
    title: Text(80, 1),
    type: Type.Unsafe<(typeof CHAT_BUTTON_TYPES)[number]>(
      Type.String({ enum: [...CHAT_BUTTON_TYPES], maxLength: 10 }),
    ),
    payload: Text(1000),
  },
  closed,
);
const Buttons = Type.Array(ChatButton, { maxItems: 12 });

/** At most CHAT_TEXT_MAX characters, without surrounding spaces. */
const TextPayload = Type.Object({ message: Text(2 * CHAT_TEXT_MAX) }, closed);
const ButtonsPayload = Type.Object({ message: Text(CHAT_TEXT_MAX), buttons: Buttons }, closed);
/** `message` is the file's name, `url` whether `filePath` is an address, `filePath` where it opens. */
const MediaPayload = Type.Object(
  {
    message: Text(200),
    url: Type.Boolean(),
    fileType: Type.Unsafe<'image' | 'video' | 'file'>(
      Type.String({ enum: ['image', 'video', 'file'], maxLength: 10 }),
    ),
    filePath: Text(400),
  },
  closed,
);
const Card = Type.Object(
  { image_url: Text(400), title: Text(120), subtitle: Text(300), buttons: Buttons },
  closed,
);
/** `message` may hold JSON with a title. */
const PostbackPayload = Type.Object({ title: Text(80), message: Text(1000) }, closed);

const deliver = {
  deliver: Type.Optional(
    Type.Object(
      {
        id: Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[\\w:.-]+$',
          description: 'The sender’s own id: a repeat is the same message.',
        }),
        status: Type.Optional(Text(20)),
      },
      closed,
    ),
  ),
};
const content = <Kind extends string, Fields extends Record<string, TSchema>>(kind: Kind, fields: Fields) =>
  Type.Object({ message_type: Type.Literal(kind), ...fields, ...deliver }, closed);

export const ChatText = content('text', { payload: TextPayload });
export const ChatMedia = content('media', { payload: MediaPayload });
export const ChatPostback = content('postback', { payload: PostbackPayload });
export const ChatButtons = content('buttons', { payload: ButtonsPayload });
export const ChatQuickReplies = content('quick_replies', { payload: ButtonsPayload });
export const ChatGeneric = content('generic', { payloads: Type.Array(Card, { minItems: 1, maxItems: 10 }) });
