/** Slips: the picture a member handed in, beside what the bank said of the transfer. */

import { Type } from 'typebox';
import { SLIP_REASONS } from '../shared/codes.ts';
import { SLIP_STATUSES } from '../shared/statuses.ts';
import { assignmentCalls } from './assignments.ts';
import { operatorCall } from './call.ts';
import { cursorPage, summed } from './cursor.ts';
import {
  ActionReply,
  Assignment,
  Closed,
  Currency,
  Id,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  Reason,
  SeveralOf,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

export const SlipStatus = OneOf(SLIP_STATUSES);
const params = Closed({ id: Id });
const actionRefusals = ['NO_DATA', 'ROW_CHANGED', 'CLAIMED', 'NOT_CLAIMED'] as const;

const row = {
  id: Type.String(),
  member: MemberRef,
  status: SlipStatus,
  note: Nullable(Type.String()),
  bankCode: Nullable(Type.String({ description: 'Our bank that received it, as far as known.' })),
  amount: Nullable(Money),
  currency: Nullable(Currency),
  doubts: Type.Array(Type.String()),
  createdAt: Timestamp,
  assignment: Nullable(Assignment),
};

export const listSlips = operatorCall({
  method: 'GET',
  path: '/api/operator/slips',
  permission: 'slip.read',
  summary: 'Slips by filter; those that wait come first',
  query: Closed({
    ...cursorPage,
    ...sortBy('createdAt'),
    status: Type.Optional(SeveralOf(SLIP_STATUSES)),
    member: Type.Optional(Text(30)),
    q: Type.Optional(Text(80)),
  }),
  reply: Closed({ slips: Type.Array(Closed(row, { $id: 'SlipRow' })), ...summed }),
});

export const readSlip = operatorCall({
  method: 'GET',
  path: '/api/operator/slips/{id}',
  permission: 'slip.read',
  summary:
    'One slip with what the bank said, the registered account and other uses of the same transfer or picture',
  params,
  reply: Closed(
    {
      ...row,
      sendingBank: Nullable(Type.String()),
      transRef: Nullable(Type.String()),
      account: Nullable(Type.String({ description: 'Ours that received it; masked.' })),
      payer: Nullable(Type.String({ description: "The sender's account as the bank shows it." })),
      payerName: Nullable(Type.String()),
      receiverName: Nullable(Type.String({ description: "The receiver's name as the bank shows it." })),
      paidAt: Nullable(Timestamp),
      memberAccount: Nullable(Type.String({ description: "The member's registered account; masked." })),
      uses: Type.Array(
        Closed({
          kind: OneOf(['slip', 'deposit', 'transaction']),
          id: Type.String(),
          member: Nullable({
            ...MemberRef,
            description: 'null for a bank transaction that is not credited.',
          }),
          state: Type.String(),
          at: Timestamp,
        }),
      ),
    },
    { $id: 'SlipDetail' },
  ),
  refusals: ['NO_DATA'],
});

export const { take: takeSlip, release: releaseSlip } = assignmentCalls(
  '/api/operator/slips',
  'slip.decide',
  'a slip',
);

export const acceptSlip = operatorCall({
  method: 'POST',
  path: '/api/operator/slips/{id}/accept',
  permission: 'slip.decide',
  summary: 'Credit the transfer once for ever, with what the bank said of it',
  params,
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: [...actionRefusals, 'INVALID_SLIP', 'UNSTABLE_REFERENCE'],
});

export const refuseSlip = operatorCall({
  method: 'POST',
  path: '/api/operator/slips/{id}/refuse',
  permission: 'slip.decide',
  summary: 'End it with a reason that the member sees',
  params,
  body: Closed({ code: OneOf(SLIP_REASONS), reason: Reason }),
  reply: ActionReply,
  refusals: actionRefusals,
});

export const checkSlip = operatorCall({
  method: 'POST',
  path: '/api/operator/slips/{id}/ask',
  permission: 'slip.decide',
  summary: 'Query the bank once more',
  params,
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: actionRefusals,
});
