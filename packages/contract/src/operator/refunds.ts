/** Refunds of losses that members have received; the terms are settings. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { cursorPage, summed } from './cursor.ts';
import { Closed, Currency, Id, MemberRef, Money, Timestamp } from './schemas.ts';

export const listRefunds = operatorCall({
  method: 'GET',
  path: '/api/operator/refunds',
  permission: 'promotion.read',
  summary: 'Refunds received, newest first, with the figures each was computed from',
  query: Closed({ ...cursorPage, member: Type.Optional(Id) }),
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
    ...summed,
  }),
});
