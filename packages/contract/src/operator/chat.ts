/** The agents' side of support chat. */
import { type TSchema, Type } from 'typebox';
import { CHAT_TEAM_MEMBERS_MAX } from '../shared/chat.ts';
import { ChatButtons, ChatGeneric, ChatMedia, ChatQuickReplies, ChatText } from '../shared/chat-schemas.ts';
import { LanguageCode } from '../shared/schemas.ts';
import { TAG_MAX, TAGS_MAX } from '../shared/tags.ts';
import { operatorCall } from './call.ts';
import { counted, cursorPage } from './cursor.ts';
import {
  between,
  Closed,
  Day,
  Done,
  Id,
  MemberRef,
  Moment,
  Nullable,
  OneOf,
  Reason,
  Text,
  Timestamp,
} from './schemas.ts';
import { TagChange } from './tags.ts';

const BOXES = ['mine', 'team', 'unassigned', 'all', 'snoozed', 'held', 'ended'] as const;
const params = Closed({ id: Id });
const Agent = Closed({ id: Type.String(), name: Type.String() });
const TeamName = Closed({ id: Type.String(), name: Type.String() });

/** A conversation in the inbox. */
const ChatRow = Closed(
  {
    id: Type.String(),
    member: Nullable(MemberRef),
    guest: Nullable(Type.String({ description: 'A short name for a guest; never their secret.' })),
    language: Nullable(LanguageCode),
    state: OneOf(['OPEN', 'SNOOZED', 'ON_HOLD', 'ENDED'] as const),
    lastWords: Type.String(),
    lastSender: OneOf(['customer', 'agent'] as const),
    lastAt: Timestamp,
    waitingSince: Nullable(Type.String({ description: 'Since when the customer waits for an answer.' })),
    unread: Type.Integer({ description: 'Messages of the customer that no agent has read.' }),
    assignee: Nullable(Agent),
    team: Nullable(TeamName),
    snoozedUntil: Nullable(Timestamp),
    tags: Type.Array(Type.String()),
  },
  { $id: 'ChatRow' },
);

export const listChats = operatorCall({
  method: 'GET',
  path: '/api/operator/chats',
  permission: 'chat.read',
  summary:
    'Conversations: the longest waiting first, ended ones by their last word; q searches messages, names, IDs and phone numbers in all boxes, as do member, agent, from and to',
  query: Closed({
    ...cursorPage,
    ...between,
    agent: Type.Optional(
      Text(60, 1, {
        description:
          'The name of who answered a session first, or else ended it; `no-agent`: no agent did. With from and to, at most 92 days: a session that was opened then.',
      }),
    ),
    box: Type.Optional(OneOf(BOXES)),
    tag: Type.Optional(Text(40)),
    member: Type.Optional(Id),
    q: Type.Optional(Text(80)),
  }),
  reply: Closed({
    chats: Type.Array(ChatRow),
    ...counted,
    counts: Closed({
      mine: Type.Integer(),
      team: Nullable(
        Type.Integer({
          description:
            'Of the caller’s teams, unassigned or waiting for an answer; null: the caller is in no team.',
        }),
      ),
      unassigned: Type.Integer(),
      all: Type.Integer(),
      snoozed: Type.Integer(),
      held: Type.Integer(),
    }),
    targetMinutes: Type.Integer({ description: 'Within which a waiting customer should be answered.' }),
  }),
  refusals: ['INVALID_REQUEST'],
});

export const readChat = operatorCall({
  method: 'GET',
  path: '/api/operator/chats/{id}',
  permission: 'chat.read',
  summary: 'One conversation, its sessions with what customers said of them, and who could take it over',
  params,
  reply: Closed({
    chat: ChatRow,
    isThere: Type.Boolean({ description: 'Whether the customer has the app open now.' }),
    customerReadUpTo: Nullable(Type.String()),
    sessions: Type.Array(
      Closed({
        id: Type.String(),
        openedAt: Timestamp,
        endedAt: Nullable(Timestamp),
        endedBy: Nullable(Type.String()),
        rating: Nullable(Type.Integer()),
      }),
    ),
    agents: Type.Array(Agent),
    teams: Type.Array(TeamName),
  }),
  refusals: ['NO_DATA'],
});

export const listMessages = operatorCall({
  method: 'GET',
  path: '/api/operator/chats/{id}/messages',
  permission: 'chat.read',
  summary: 'What was said and noted, newest first, before a message or from the end',
  params,
  query: Closed({
    before: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  }),
  reply: Closed({
    messages: Type.Array(
      Closed(
        {
          id: Type.String(),
          sender: OneOf(['customer', 'agent', 'note'] as const),
          by: Nullable(Type.String()),
          session: Type.String(),
          createdAt: Timestamp,
          clientId: Type.String(),
          message: Type.Object({
            message_type: Type.String(),
            payload: Type.Optional(Type.Any()),
            payloads: Type.Optional(Type.Any()),
          }),
        },
        { $id: 'ChatLine' },
      ),
    ),
  }),
  refusals: ['NO_DATA'],
});

export const sendMessage = operatorCall({
  method: 'POST',
  path: '/api/operator/chats/{id}/messages',
  permission: 'chat.answer',
  summary:
    'Send a message; a repeat under the same deliver.id is the same message. The first agent to respond is assigned the conversation; others take it over before they respond',
  params,
  body: Closed({ message: Type.Union([ChatText, ChatButtons, ChatQuickReplies, ChatGeneric, ChatMedia]) }),
  reply: Closed({ id: Type.String(), createdAt: Timestamp }),
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'CLAIMED'],
});

const perform = <const Path extends string, B extends TSchema>(path: Path, summary: string, body: B) =>
  operatorCall({
    method: 'POST',
    path,
    permission: 'chat.answer',
    summary,
    params,
    body,
    reply: Done,
    refusals: ['NO_DATA', 'ROW_CHANGED'],
  });
const Nothing = Closed({});

export const addNote = perform(
  '/api/operator/chats/{id}/notes',
  'A note among agents, in the flow of the conversation',
  Closed({ text: Text(2000, 1) }),
);
export const takeChat = perform('/api/operator/chats/{id}/claim', 'Take the conversation', Nothing);
export const transferChat = perform(
  '/api/operator/chats/{id}/transfer',
  'Give the conversation to another agent, or back to its team, or to all when it has none',
  Closed({ operator: Nullable(Id) }),
);
export const giveChatToTeam = perform(
  '/api/operator/chats/{id}/team',
  'Give the conversation to a team, unassigned, so that any of its agents may take it; or take it from its team',
  Closed({ team: Nullable(Id) }),
);
export const endChat = perform(
  '/api/operator/chats/{id}/end',
  'End the session; the customer is asked for a rating',
  Nothing,
);
export const reopenChat = perform(
  '/api/operator/chats/{id}/reopen',
  'Open a session again after it ended',
  Nothing,
);
export const snoozeChat = perform(
  '/api/operator/chats/{id}/snooze',
  'Put it aside until a time, or bring it back; a word of the customer brings it back too',
  Closed({ until: Nullable(Moment) }),
);
export const holdChat = perform(
  '/api/operator/chats/{id}/hold',
  'Put it on hold while a bank, a provider or a colleague must do something, or take it off; a word of the customer takes it off too',
  Closed({ isHeld: Type.Boolean() }),
);
export const tagChat = operatorCall({
  method: 'POST',
  path: '/api/operator/chats/{id}/tags',
  permission: 'chat.answer',
  summary: 'Add tags to it and remove tags from it; the others stay',
  params,
  body: TagChange,
  reply: Done,
  refusals: ['NO_DATA', 'TAGS_MAX'],
});
export const readChatUpTo = perform(
  '/api/operator/chats/{id}/read',
  'All that is there now was read by an agent',
  Nothing,
);
export const reportTyping = perform(
  '/api/operator/chats/{id}/typing',
  'The customer sees that somebody writes',
  Nothing,
);

export const mergeChat = operatorCall({
  method: 'POST',
  path: '/api/operator/chats/{id}/merge',
  permission: 'chat.answer',
  summary:
    'Move a guest’s conversation into another, for good: the guest can read and write neither; their next message begins a new one',
  params,
  body: Closed({ into: Id, reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED', 'CLAIMED'],
});

export const addChatFile = operatorCall({
  method: 'POST',
  path: '/api/operator/chat-file',
  permission: 'chat.answer',
  summary: 'A picture or film for a message; gone after an hour unless one names it',
  multipart: { file: { isFile: true, description: 'PNG, JPG or GIF up to 10 MB; MP4 or MOV up to 20 MB.' } },
  reply: Closed({ path: Type.String(), fileType: OneOf(['image', 'video'] as const) }),
  refusals: ['SLIP_NO_FILE', 'CHAT_FILE_UNSUPPORTED', 'CHAT_FILE_TOO_LARGE', 'REQUEST_LIMIT'],
});

const Canned = Closed(
  { id: Type.String(), shortcut: Type.String(), text: Type.String() },
  { $id: 'CannedReply' },
);

export const listCanned = operatorCall({
  method: 'GET',
  path: '/api/operator/canned',
  permission: 'chat.read',
  summary: 'Ready replies, by their shortcut',
  reply: Closed({ canned: Type.Array(Canned) }),
});

export const saveCanned = operatorCall({
  method: 'PUT',
  path: '/api/operator/canned/{shortcut}',
  permission: 'chat.manage',
  summary: 'Keep a reply ready under a shortcut',
  params: Closed({ shortcut: Type.String({ pattern: '^[a-z0-9-]{1,30}$', maxLength: 30 }) }),
  body: Closed({ text: Text(2000, 1) }),
  reply: Done,
  refusals: ['LIST_FULL'],
});

export const removeCanned = operatorCall({
  method: 'DELETE',
  path: '/api/operator/canned/{shortcut}',
  permission: 'chat.manage',
  summary: 'Forget a reply',
  params: Closed({ shortcut: Text(30, 1) }),
  reply: Done,
  refusals: ['NO_DATA'],
});

const macro = {
  text: Text(2000, 0, { description: 'What is said to the customer; empty: nothing.' }),
  tags: Type.Array(Text(TAG_MAX, 1), {
    maxItems: TAGS_MAX,
    uniqueItems: true,
    description: 'Added to those it has.',
  }),
  isTaken: Type.Boolean({ description: 'Whether the agent who runs it has the conversation afterwards.' }),
  ending: OneOf(['NONE', 'HOLD', 'END'] as const),
};
const macroParams = Closed({ name: Text(60, 1) });

export const listMacros = operatorCall({
  method: 'GET',
  path: '/api/operator/macros',
  permission: 'chat.read',
  summary: 'What agents often do with a conversation, by name',
  reply: Closed({
    macros: Type.Array(Closed({ id: Type.String(), name: Type.String(), ...macro }, { $id: 'ChatMacro' })),
  }),
});

export const saveMacro = operatorCall({
  method: 'PUT',
  path: '/api/operator/macros/{name}',
  permission: 'chat.manage',
  summary: 'Keep a macro under a name, or replace it',
  params: macroParams,
  body: Closed(macro),
  reply: Done,
  refusals: ['LIST_FULL'],
});

export const removeMacro = operatorCall({
  method: 'DELETE',
  path: '/api/operator/macros/{name}',
  permission: 'chat.manage',
  summary: 'Forget a macro',
  params: macroParams,
  reply: Done,
  refusals: ['NO_DATA'],
});

export const runMacro = operatorCall({
  method: 'POST',
  path: '/api/operator/chats/{id}/macros/{name}',
  permission: 'chat.answer',
  summary:
    'Do what a macro says with a conversation, all of it or nothing; a repeat under the same key says nothing twice',
  params: Closed({ id: Id, name: Text(60, 1) }),
  body: Closed({ key: Text(64, 8) }),
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED', 'INVALID_REQUEST'],
});

const team = {
  name: Text(60, 1),
  members: Type.Array(Id, {
    maxItems: CHAT_TEAM_MEMBERS_MAX,
    uniqueItems: true,
    description: 'Operators who may respond.',
  }),
};
const teamParams = Closed({ id: Id });

export const listTeams = operatorCall({
  method: 'GET',
  path: '/api/operator/chat-teams',
  permission: 'chat.read',
  summary: 'Teams by name, with their members, and who could be one; without those who may no longer respond',
  reply: Closed({
    teams: Type.Array(
      Closed({ id: Type.String(), name: Type.String(), members: Type.Array(Agent) }, { $id: 'ChatTeam' }),
    ),
    agents: Type.Array(Agent),
  }),
});

export const addTeam = operatorCall({
  method: 'POST',
  path: '/api/operator/chat-teams',
  permission: 'chat.manage',
  summary: 'Make a team, of 50 at the most',
  body: Closed(team),
  reply: Closed({ id: Type.String() }),
  refusals: ['INVALID_REQUEST', 'CODE_TAKEN', 'NO_DATA'],
});

export const saveTeam = operatorCall({
  method: 'PUT',
  path: '/api/operator/chat-teams/{id}',
  permission: 'chat.manage',
  summary: 'Rename a team and set its members',
  params: teamParams,
  body: Closed(team),
  reply: Done,
  refusals: ['INVALID_REQUEST', 'NO_DATA', 'CODE_TAKEN'],
});

export const removeTeam = operatorCall({
  method: 'DELETE',
  path: '/api/operator/chat-teams/{id}',
  permission: 'chat.manage',
  summary: 'Remove a team; its conversations belong to no team then',
  params: teamParams,
  reply: Done,
  refusals: ['NO_DATA'],
});

export const readChatFigures = operatorCall({
  method: 'GET',
  path: '/api/operator/figures/chats',
  permission: 'figures.read',
  summary:
    'Sessions by the agent who answered first: how soon the first answer came, how long they took, what customers said',
  query: Closed({ from: Type.Optional(Day), to: Type.Optional(Day) }),
  reply: Closed({
    from: Type.String(),
    to: Type.String(),
    targetMinutes: Type.Integer({ description: 'Within which the first answer should come.' }),
    rows: Type.Array(
      Closed(
        {
          agent: Nullable(Type.String({ description: 'Null when no agent ended it.' })),
          sessions: Type.Integer({ description: 'Also those that an agent opened.' }),
          answered: Type.Integer({ description: 'In which an agent wrote after the customer.' }),
          late: Type.Integer({ description: 'First answered after the target, or not at all.' }),
          firstAnswer: Nullable(
            Type.Number({ description: 'Minutes from the customer’s first message, the median.' }),
          ),
          duration: Nullable(Type.Number({ description: 'Minutes, the median.' })),
          rated: Type.Integer(),
          rating: Nullable(Type.Number({ description: 'Of 5, on average.' })),
        },
        { $id: 'ChatFigures' },
      ),
    ),
  }),
  refusals: ['INVALID_REQUEST'],
});
