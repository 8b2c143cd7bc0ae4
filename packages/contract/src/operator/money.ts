/** Deposits, bank transactions without an owner, and transfers to and from game providers. */
import { Type } from 'typebox';
import { assignmentCalls } from './assignments.ts';
import { operatorCall } from './call.ts';
import { counted, cursorPage, summed } from './cursor.ts';
import {
  ActionReply,
  Assignment,
  between,
  Closed,
  Currency,
  Id,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  PrintedAccount,
  Reason,
  SeveralOf,
  SeveralTexts,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

const params = Closed({ id: Id });

export const listDeposits = operatorCall({
  method: 'GET',
  path: '/api/operator/deposits',
  permission: 'deposit.read',
  summary: 'Deposits by filter, newest first',
  query: Closed({
    ...cursorPage,
    ...sortBy('createdAt', 'amount'),
    ...between,
    channel: Type.Optional(SeveralTexts(20)),
    bank: Type.Optional(SeveralTexts(20)),
    member: Type.Optional(Text(30)),
    otherAccount: Type.Optional(Type.Boolean()),
    amountMin: Type.Optional(Type.Number({ minimum: 0 })),
    amountMax: Type.Optional(Type.Number({ minimum: 0 })),
    q: Type.Optional(Text(80)),
  }),
  reply: Closed({
    deposits: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          channel: Type.String(),
          bankCode: Type.String(),
          bankReference: Type.String(),
          amount: Money,
          currency: Currency,
          fromOtherAccount: Type.Boolean({ description: "Not from the member's registered account." }),
          createdAt: Timestamp,
          reversedAt: Nullable(Type.String({ description: 'When it was taken back.' })),
          approval: Nullable(Type.String({ description: 'The request that waits for a checker.' })),
          run: Nullable(Type.String({ description: 'The active bonus run it backs.' })),
        },
        { $id: 'DepositRow' },
      ),
    ),
    ...summed,
  }),
});

export const reverseDeposit = operatorCall({
  method: 'POST',
  path: '/api/operator/deposits/{id}/reverse',
  permission: 'deposit.reverse',
  summary: 'Request to take a deposit back; a second person decides, and the money is unmatched again',
  params,
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'WALLET_SHORT', 'APPROVAL_PENDING', 'MONEY_NOT_ENOUGH', 'NOT_CLAIMED'],
});

export const listGifts = operatorCall({
  method: 'GET',
  path: '/api/operator/gifts',
  permission: 'deposit.read',
  summary: 'Gifts whose end the service owes us, oldest first',
  query: Closed(cursorPage),
  reply: Closed({
    gifts: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          code: Type.String({ description: 'Masked: who has the code has the money.' }),
          expected: Type.Number({ description: 'Baht the gift showed before it was taken.' }),
          state: OneOf(['SENT', 'UNKNOWN'] as const),
          asked: Type.Integer({ description: 'How often the service was queried about it.' }),
          createdAt: Timestamp,
          approval: Nullable(Type.String()),
        },
        { $id: 'OpenGift' },
      ),
    ),
    ...counted,
  }),
});

export const checkGift = operatorCall({
  method: 'POST',
  path: '/api/operator/gifts/{id}/ask',
  permission: 'transfer.settle',
  summary: 'Query the gift service again now about its outcome',
  params,
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const settleGift = operatorCall({
  method: 'POST',
  path: '/api/operator/gifts/{id}/settle',
  permission: 'transfer.settle',
  summary:
    "Request to book a gift's end on the evidence of our wallet: `received` baht of it, or without it nothing; a second person decides",
  params,
  body: Closed({ received: Type.Optional(Type.Number()), evidence: Text(500, 3) }),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'ROW_CHANGED',
    'TRANSFER_MINIMUM',
    'APPROVAL_PENDING',
    'MONEY_NOT_ENOUGH',
    'NOT_CLAIMED',
  ],
});

export const BANK_TRANSACTION_STATES = ['UNMATCHED', 'CREDITED', 'RETURNED'] as const;

export const listUnmatched = operatorCall({
  method: 'GET',
  path: '/api/operator/unmatched',
  permission: 'unmatched.read',
  summary:
    'Bank transactions without an owner, oldest first, with the likely owner; without a state those that wait',
  query: Closed({
    ...cursorPage,
    ...sortBy('receivedAt', 'amount'),
    bank: Type.Optional(SeveralTexts(20)),
    q: Type.Optional(Text(80)),
    state: Type.Optional(SeveralOf(BANK_TRANSACTION_STATES)),
  }),
  reply: Closed({
    transactions: Type.Array(
      Closed(
        {
          id: Type.String(),
          bankCode: Type.String(),
          bankReference: Type.String(),
          amount: Money,
          currency: Currency,
          payerBank: Type.String(),
          payerAccount: Type.String({ description: 'Masked.' }),
          payerName: Nullable(Type.String()),
          reason: Nullable(Type.String()),
          state: Type.String(),
          likely: Nullable(MemberRef),
          candidates: Type.Array(MemberRef, {
            description: 'Everybody it may be of, as the matching found them.',
          }),
          paidAt: Timestamp,
          receivedAt: Timestamp,
          assignment: Nullable(Assignment),
          approval: Nullable(Type.String()),
        },
        { $id: 'UnmatchedTransaction' },
      ),
    ),
    ...summed,
  }),
});

export const { take: takeUnmatched, release: releaseUnmatched } = assignmentCalls(
  '/api/operator/unmatched',
  'unmatched.settle',
  'a bank transaction',
);

export const listCandidates = operatorCall({
  method: 'GET',
  path: '/api/operator/candidates',
  permission: 'unmatched.settle',
  summary: 'Candidate members, distinguished by phone, bank account and latest deposits; at most 8',
  query: Closed({
    q: Type.Optional(Text(80)),
    transaction: Type.Optional(Id),
  }),
  reply: Closed({
    candidates: Type.Array(
      Closed(
        {
          id: Type.String(),
          name: Type.String(),
          phone: Type.String({ description: 'Masked.' }),
          status: Type.String(),
          currency: Currency,
          account: Nullable(PrintedAccount),
          deposits: Type.Array(Closed({ amount: Money, channel: Type.String(), at: Timestamp }), {
            description: 'The latest three, newest first.',
          }),
        },
        { $id: 'Candidate' },
      ),
    ),
  }),
});

export const BOOKING_KINDS = ['deposit', 'report', 'return'] as const;

/** Bookings that may already contain the money of a bank transaction. */
export const Bookings = Type.Array(
  Closed(
    {
      kind: OneOf(BOOKING_KINDS),
      id: Type.String({
        description:
          'That of the deposit, of the payment report credited manually, or of the withdrawal whose return was booked without a bank transaction.',
      }),
      at: Timestamp,
    },
    { $id: 'Booking' },
  ),
  { description: 'Latest first, five at most. While there is one, a credit needs a second person.' },
);

export const listBookings = operatorCall({
  method: 'GET',
  path: '/api/operator/unmatched/{id}/bookings',
  permission: 'unmatched.settle',
  summary: 'What of a member may already contain the money of a bank transaction',
  params,
  query: Closed({ member: Text(30, 1) }),
  reply: Closed({ bookings: Bookings }),
  refusals: ['NO_DATA', 'NO_USER', 'ROW_CHANGED'],
});

export const assignUnmatched = operatorCall({
  method: 'POST',
  path: '/api/operator/unmatched/{id}/assign',
  permission: 'unmatched.settle',
  summary:
    'Credit a bank transaction to a member, once for ever; a second person decides where its money may already be booked',
  params,
  body: Closed({ member: Text(30, 1), reason: Reason }),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'NO_USER',
    'ROW_CHANGED',
    'CLAIMED',
    'NOT_CLAIMED',
    'APPROVAL_PENDING',
    'MONEY_NOT_ENOUGH',
  ],
});

export const returnUnmatched = operatorCall({
  method: 'POST',
  path: '/api/operator/unmatched/{id}/return',
  permission: 'unmatched.settle',
  summary:
    "Request to book a bank transaction as sent back, with the bank's reference; a second person decides",
  params,
  body: Closed({ proof: Text(500, 3), reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED', 'NOT_CLAIMED', 'APPROVAL_PENDING', 'MONEY_NOT_ENOUGH'],
});

export const TIED_KINDS = ['report', 'return'] as const;

export const tieUnmatched = operatorCall({
  method: 'POST',
  path: '/api/operator/unmatched/{id}/tie',
  permission: 'unmatched.settle',
  summary:
    'Request to book a bank transaction as the money of a booking made before: `report`, the payment report credited manually of that id, or `return`, the withdrawal of that id whose return was booked; a second person decides. No wallet changes',
  params,
  body: Closed({
    kind: OneOf(TIED_KINDS),
    booking: Text(30, 1),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED', 'NOT_CLAIMED', 'APPROVAL_PENDING', 'MONEY_NOT_ENOUGH'],
});

export const TransferState = OneOf(['RESERVED', 'UNKNOWN', 'DONE', 'FAILED'] as const);

export const listTransfers = operatorCall({
  method: 'GET',
  path: '/api/operator/transfers',
  permission: 'transfer.read',
  summary: 'Transfers to and from providers by filter, newest first',
  query: Closed({
    ...cursorPage,
    ...sortBy('createdAt'),
    ...between,
    state: Type.Optional(SeveralOf(['OPEN', 'RESERVED', 'UNKNOWN', 'DONE', 'FAILED'])),
    game: Type.Optional(SeveralTexts(40)),
    member: Type.Optional(Text(30)),
    q: Type.Optional(Text(80)),
  }),
  reply: Closed({
    transfers: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          game: Type.String(),
          gameName: Type.String(),
          direction: OneOf(['IN', 'OUT'] as const),
          amount: Money,
          currency: Currency,
          credits: Type.Number(),
          state: TransferState,
          asked: Type.Integer({ description: 'How often the provider was queried about it.' }),
          createdAt: Timestamp,
          approval: Nullable(Type.String()),
        },
        { $id: 'TransferRow' },
      ),
    ),
    ...summed,
  }),
});

export const checkTransfer = operatorCall({
  method: 'POST',
  path: '/api/operator/transfers/{id}/ask',
  permission: 'transfer.settle',
  summary: 'Query the provider again now about its outcome',
  params,
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

export const settleTransfer = operatorCall({
  method: 'POST',
  path: '/api/operator/transfers/{id}/settle',
  permission: 'transfer.settle',
  summary: "Request to book an unknown transfer's end on the provider's evidence; a second person decides",
  params,
  body: Closed({ outcome: OneOf(['DONE', 'FAILED'] as const), evidence: Text(500, 3) }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'APPROVAL_PENDING', 'MONEY_NOT_ENOUGH', 'NOT_CLAIMED'],
});
