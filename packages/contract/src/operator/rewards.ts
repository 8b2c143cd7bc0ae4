/** What invites and refunds have brought members; their terms are settings. */

import { Type } from 'typebox';
import { INVITE_BAR_REASONS, INVITE_STATES } from '../shared/statuses.ts';
import { operatorCall } from './call.ts';
import {
  ActionReply,
  Closed,
  Currency,
  Id,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  page,
  Reason,
  Text,
  Timestamp,
  totals,
} from './schemas.ts';

/** JOINED: they have not paid in. BARRED: what the two share, or another reason, keeps it from paying. */

export const listInvites = operatorCall({
  method: 'GET',
  path: '/api/operator/invites',
  permission: 'promotion.read',
  summary:
    'Invited members, newest first, with what each has earned their inviter; amounts in their currency',
  query: Closed({
    ...page,
    inviter: Type.Optional(Id),
    state: Type.Optional(OneOf(INVITE_STATES)),
  }),
  reply: Closed({
    invites: Type.Array(
      Closed(
        {
          id: Type.String(),
          inviter: MemberRef,
          member: MemberRef,
          joinedAt: Timestamp,
          state: OneOf(INVITE_STATES),
          currency: Currency,
          reason: Nullable(OneOf(INVITE_BAR_REASONS)),
          deposit: Nullable(Type.String()),
          deposited: Nullable(Money),
          amount: Nullable(Money),
          staked: Nullable(Type.Number({ description: 'Bets since the deposit, as last told.' })),
          needed: Nullable(Money),
          run: Nullable(Type.String()),
          receivedAt: Nullable(Timestamp),
          reversedAt: Nullable(
            Type.String({ description: 'When the deposit was taken back; of one received before, a loss.' }),
          ),
        },
        { $id: 'InviteRow' },
      ),
    ),
    ...totals,
  }),
});

export const listRefunds = operatorCall({
  method: 'GET',
  path: '/api/operator/refunds',
  permission: 'promotion.read',
  summary: 'Refunds received, newest first, with the figures each was worked out on',
  query: Closed({ ...page, member: Type.Optional(Id) }),
  reply: Closed({
    refunds: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          from: Timestamp,
          to: Timestamp,
          currency: Currency,
          opening: Money,
          deposits: Money,
          withdrawals: Money,
          balance: Money,
          loss: Money,
          percent: Type.Integer(),
          amount: Money,
        },
        { $id: 'RefundRow' },
      ),
    ),
    ...totals,
  }),
});

export const changePromotionSetting = operatorCall({
  method: 'PUT',
  path: '/api/operator/promotion-settings/{key}',
  permission: 'promotion.manage',
  summary:
    'Change a setting of bonuses, invites, refunds or the wheel, as changing a setting does; NO_DATA for any other',
  params: Closed({ key: Text(60, 1) }),
  body: Closed({ value: Type.Unknown(), version: Type.Integer(), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'INVALID_REQUEST', 'ROW_CHANGED', 'APPROVAL_PENDING'],
});
