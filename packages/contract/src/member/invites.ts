import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Closed, Page, StatementId, Timestamp } from './schemas.ts';

const Invite = Closed(
  {
    from: Closed({ name: Type.String({ description: 'The invited member.' }) }),
    amount: Type.Number({
      description: "The inviter's share of the first deposit; 0 before it and when there is none.",
    }),
    createdAt: Timestamp,
    status: Type.Union(
      [
        Type.Literal('JOINED'),
        Type.Literal('WAITING'),
        Type.Literal('READY'),
        Type.Literal('RECEIVED'),
        Type.Literal('NONE'),
      ],
      {
        description:
          'JOINED has not paid in yet; WAITING has not played enough yet; READY can be received; RECEIVED was; NONE earns nothing.',
      },
    ),
  },
  { $id: 'Invite' },
);

export const listInvites = call({
  method: 'POST',
  path: '/api/invite',
  access: 'member',
  summary: 'The members this one has invited, newest first, with what each earns them',
  body: Page,
  reply: Closed({
    invites: Type.Array(Invite),
    total: Type.Integer(),
    ready: Type.Number({ description: 'What can be received, as far as play has been looked at.' }),
    terms: Closed({
      isOpen: Type.Boolean(),
      percent: Type.Integer({ description: "The inviter's share of a first deposit." }),
      most: Amount,
      betTimes: Type.Integer({ description: 'Bets until it is free, in times of the deposit.' }),
    }),
  }),
});

export const receiveInviteBonus = call({
  method: 'GET',
  path: '/api/invite/bonus',
  access: 'member',
  summary:
    'Receive what invited members have earned this one and start its run. INVITE_COLLECT tells {minimum, amount}',
  sideEffect: true,
  reply: Closed({ message: Type.Literal('INVITE_BONUS_SUCCESS'), amount: Amount, statementId: StatementId }),
  refusals: [
    'INVITE_INACTIVE',
    'NO_INVITE_BONUS',
    'NO_INVITEE_PLAY_INFO',
    'BONUS_REMAINING',
    'INVITE_COLLECT',
    'SELF_EXCLUDED',
    'LIMIT_REACHED',
    'PROVIDER_UNAVAILABLE',
    'INVITE_BONUS_FAIL',
  ],
});
