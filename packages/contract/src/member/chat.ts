/** Support chat: guests under a secret of their own, members under their id. */
import { type Static, Type } from 'typebox';
import { ACCESS_CODES, call } from '../shared/call.ts';
import {
  type ChatButtons,
  type ChatGeneric,
  ChatMedia,
  ChatPostback,
  type ChatQuickReplies,
  ChatText,
} from '../shared/chat-schemas.ts';
import { Closed, Message, Nullable, Text, Timestamp } from './schemas.ts';

type MessageContent = Static<
  | typeof ChatText
  | typeof ChatMedia
  | typeof ChatPostback
  | typeof ChatButtons
  | typeof ChatQuickReplies
  | typeof ChatGeneric
>;
/** A kind that this version does not know; it must not break the panel. */
interface Unknown {
  message_type: 'unknown';
  payload?: unknown;
  deliver?: { id: string; status?: string };
}
/** A message as sent to clients: `deliver.id` is always set, `deliver.status` once the server has stored it. */
export type ChatMessage = (MessageContent | Unknown) & { deliver: { id: string; status?: string } };

export const ChatItem = Closed(
  {
    _id: Type.String({ description: 'Grows with every message of a conversation: its order.' }),
    sender: Type.Unsafe<'customer' | 'agent'>(Type.String()),
    message: Type.Unsafe<ChatMessage>(
      Type.Object({
        message_type: Type.String(),
        payload: Type.Optional(Type.Any()),
        payloads: Type.Optional(Type.Any()),
        deliver: Type.Object({
          id: Type.String(),
          status: Type.Optional(Type.String({ description: 'succeed: the server has it.' })),
        }),
      }),
    ),
    userId: Nullable(Type.String()),
    guestId: Nullable(Type.String()),
    username: Nullable(Type.String()),
    name: Nullable(Type.String({ description: 'The member who wrote; null for a guest and for agents.' })),
    createdAt: Timestamp,
    session_id: Type.String(),
  },
  { $id: 'ChatItem' },
);

/** Who talks. A bearer token decides for a member; `guestId` beside it joins the guest's conversation to theirs, once. */
const who = { userId: Type.Optional(Nullable(Text(40))), guestId: Type.Optional(Nullable(Text(128))) };
const refusals = [...ACCESS_CODES.member, 'INVALID_USER_INFO', 'UNAUTHORIZED'] as const;

export const readChatConfig = call({
  method: 'GET',
  path: '/api/chat/config',
  access: 'public',
  summary: 'What rooms are called, whether agents are there now, and when they are',
  reply: Closed(
    {
      PREFIX: Type.String(),
      isOnline: Type.Boolean(),
      hours: Type.Array(Closed({ from: Type.String(), to: Type.String() })),
      answerMinutes: Nullable(Type.Integer({ description: 'What a first answer took of late, the median.' })),
    },
    { $id: 'ChatConfig' },
  ),
});

export const sendChatMessage = call({
  method: 'POST',
  path: '/api/chat/send-message',
  access: 'public',
  summary:
    'Say something. A repeat under the same deliver.id is the same message; sender, name and times are the server’s',
  body: Closed({
    ...who,
    message: Type.Union([ChatText, ChatMedia, ChatPostback]),
    sender: Type.Optional(Text(40)),
    username: Type.Optional(Nullable(Text(120))),
    name: Type.Optional(Nullable(Text(120))),
    deviceToken: Type.Optional(Nullable(Text(400))),
    createdAt: Type.Optional(Nullable(Text(40))),
    session_id: Type.Optional(Nullable(Text(40))),
  }),
  reply: Closed({ createdAt: Timestamp, session_id: Type.String(), _id: Type.String() }),
  refusals: [...refusals, 'REQUEST_LIMIT', 'CHAT_FILES_FULL'],
});

export const listChatHistory = call({
  method: 'POST',
  path: '/api/chat/history',
  access: 'public',
  summary: 'What was said, newest first; ended sessions too',
  body: Closed({
    ...who,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    skip: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  }),
  reply: Type.Array(ChatItem),
  refusals,
});

export const readChat = call({
  method: 'PUT',
  path: '/api/chat/read-customer/',
  access: 'public',
  summary: 'Everything up to a message was read; without one, all that is there now',
  body: Closed({ ...who, upTo: Type.Optional(Type.String({ maxLength: 18, pattern: '^\\d+$' })) }),
  reply: Message,
  refusals,
});

export const countUnreadChat = call({
  method: 'POST',
  path: '/api/chat/unread',
  access: 'public',
  summary:
    'How much of the conversation was not read yet, how far agents have read, and whether a session is open',
  body: Closed(who),
  reply: Closed(
    {
      unread: Type.Integer(),
      isOpen: Type.Boolean(),
      readUpTo: Nullable(Type.String({ description: 'The last message agents have read.' })),
    },
    { $id: 'ChatUnread' },
  ),
  refusals,
});

const upload = {
  method: 'POST',
  access: 'public',
  reply: Closed({ path: Type.String({ description: 'Opens without a header for an hour.' }) }),
  refusals: [
    ...ACCESS_CODES.member,
    'SLIP_NO_FILE',
    'CHAT_FILE_UNSUPPORTED',
    'CHAT_FILE_TOO_LARGE',
    'CHAT_FILES_FULL',
    'REQUEST_LIMIT',
  ],
} as const;

export const uploadChatImage = call({
  ...upload,
  path: '/api/chat/upload-image',
  summary: 'A picture for a message, drawn anew; gone after an hour unless one names it',
  multipart: { file: { isFile: true, description: 'PNG, JPG or GIF, at most 10 MB.' } },
});

export const uploadChatVideo = call({
  ...upload,
  path: '/api/chat/upload-video',
  summary: 'A film for a message; gone after an hour unless one names it',
  multipart: { file: { isFile: true, description: 'MP4 or MOV, at most 20 MB.' } },
});
