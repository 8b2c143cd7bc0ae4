/** Invited members and what they have earned their inviters; the terms are settings. */
import { Type } from 'typebox';
import { INVITE_BAR_REASONS, INVITE_STATES } from '../shared/statuses.ts';
import { operatorCall } from './call.ts';
import { cursorPage, summed } from './cursor.ts';
import { Closed, Currency, Id, MemberRef, Money, Nullable, OneOf, SeveralOf, Timestamp } from './schemas.ts';

/** JOINED: the invited member has not deposited. BARRED: no share is paid, for the stored reason. */
export const listInvites = operatorCall({
  method: 'GET',
  path: '/api/operator/invites',
  permission: 'promotion.read',
  summary:
    'Invited members, newest first, with what each has earned their inviter; amounts in their currency',
  query: Closed({
    ...cursorPage,
    inviter: Type.Optional(Id),
    state: Type.Optional(SeveralOf(INVITE_STATES)),
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
          staked: Nullable(Type.Number({ description: 'Bets since the deposit, as last reported.' })),
          needed: Nullable(Money),
          run: Nullable(Type.String()),
          receivedAt: Nullable(Timestamp),
          reversedAt: Nullable(
            Type.String({ description: 'When the deposit was reversed; a loss if it had been received.' }),
          ),
        },
        { $id: 'InviteRow' },
      ),
    ),
    ...summed,
  }),
});
