import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { LanguageCode } from '../shared/schemas.ts';
import { Amount, Closed, Message, Nullable, Page, Text, Timestamp } from './schemas.ts';

const Notification = Closed(
  {
    id: Type.String(),
    kind: Type.Union([
      Type.Literal('deposit'),
      Type.Literal('withdraw'),
      Type.Literal('bonus'),
      Type.Literal('chat'),
      Type.Literal('login'),
      Type.Literal('kyc'),
      Type.Literal('account'),
    ]),
    status: Nullable(
      Type.Union(
        [Type.Literal('SUCCESS'), Type.Literal('FAILED'), Type.Literal('FORFEITED'), Type.Literal('EXPIRED')],
        {
          description:
            "How a row of the statement, a bonus' run, a slip, an identity check or a request for another bank account has ended; null for the other kinds and for a request that was made.",
        },
      ),
    ),
    subject: Type.String({
      description: 'For money the id of its row in the statement, for a slip its own.',
    }),
    origin: Type.Optional(
      Type.Union([Type.Literal('return'), Type.Literal('slip')], {
        description:
          'A deposit that is a withdrawal the bank sent back; a slip that was refused after it was handed in.',
      }),
    ),
    amount: Nullable(Amount),
    name: Nullable(
      Type.String({
        description: "A bonus by its title in the reader's language, a device as far as it says.",
      }),
    ),
    createdAt: Timestamp,
    isRead: Type.Boolean(),
  },
  { $id: 'Notification' },
);

const Unread = Type.Integer({ minimum: 0, description: 'How many are not read.' });

export const listNotifications = call({
  method: 'POST',
  path: '/api/notifications',
  access: 'member',
  summary: 'Notifications of the member, newest first; stored for 90 days',
  body: Page,
  reply: Closed({ notifications: Type.Array(Notification), total: Type.Integer(), unread: Unread }),
});

export const readNotifications = call({
  method: 'POST',
  path: '/api/notifications/read',
  access: 'member',
  summary: 'Note that everything up to one of them has been read; again changes nothing',
  body: Closed({ upTo: Type.String({ maxLength: 18, pattern: '^\\d+$' }) }),
  reply: Closed({ unread: Unread }),
});

const preferences = {
  kinds: Closed({
    money: Type.Boolean({ description: 'Deposits and withdrawals.' }),
    bonus: Type.Boolean(),
    chat: Type.Boolean(),
    login: Type.Boolean(),
  }),
  hidesAmounts: Type.Boolean({ description: 'Amounts stay out of what a locked screen shows.' }),
};

const PushState = Closed(
  {
    publicKey: Nullable(
      Type.String({
        description: 'What a browser subscribes with (RFC 8292); null: nothing is brought to browsers.',
      }),
    ),
    isOn: Type.Boolean({ description: 'Whether the browser of this session is subscribed.' }),
    ...preferences,
  },
  { $id: 'PushState' },
);

export const readPush = call({
  method: 'GET',
  path: '/api/push',
  access: 'member',
  summary: 'What is brought to the member while the app is closed',
  reply: PushState,
});

export const setPush = call({
  method: 'PUT',
  path: '/api/push',
  access: 'member',
  summary: 'Choose which kinds are brought to all browsers of the member, and whether with amounts',
  body: Closed(preferences),
  reply: PushState,
});

export const subscribePush = call({
  method: 'POST',
  path: '/api/push/subscription',
  access: 'member',
  summary:
    'Have notifications brought to the browser of this session until it ends; again replaces what it had. INVALID_REQUEST for an address that is not of a known push service',
  body: Closed({
    endpoint: Text(1000),
    keys: Closed({
      p256dh: Type.String({ maxLength: 88, pattern: '^[\\w-]{87}=?$' }),
      auth: Type.String({ maxLength: 24, pattern: '^[\\w-]{22}(==)?$' }),
    }),
    language: LanguageCode,
  }),
  reply: Message,
});

export const unsubscribePush = call({
  method: 'DELETE',
  path: '/api/push/subscription',
  access: 'member',
  summary: 'Bring nothing more to the browser of this session; again changes nothing',
  reply: Message,
});
