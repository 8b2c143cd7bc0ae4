/** What operators still have to find out of money that came: payments members report, and evidence that fits several transactions. */
import { Type } from 'typebox';
import { assignmentCalls } from './assignments.ts';
import { operatorCall } from './call.ts';
import { cursorPage, summed } from './cursor.ts';
import { Bookings } from './money.ts';
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
  Reason,
  SeveralOf,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

const params = Closed({ id: Id });
const actionRefusals = ['NO_DATA', 'ROW_CHANGED', 'CLAIMED', 'NOT_CLAIMED'] as const;

/** A bank transaction that the money may be. */
const Candidate = Closed(
  {
    id: Type.String(),
    state: Type.String(),
    bankCode: Type.String(),
    bankReference: Type.String(),
    payerBank: Type.String(),
    payerAccount: Type.String({ description: 'Masked.' }),
    likely: Nullable(MemberRef),
    paidAt: Timestamp,
  },
  { $id: 'CandidateTransaction' },
);

export const REPORT_STATES = ['PENDING', 'SUCCESS', 'FAILED'] as const;
export const ReportState = OneOf(REPORT_STATES);

export const listReports = operatorCall({
  method: 'GET',
  path: '/api/operator/reports',
  permission: 'unmatched.read',
  summary:
    'Payments members say they made, each with the unmatched bank transactions of its amount; the ended ones latest first',
  query: Closed({
    ...cursorPage,
    ...between,
    ...sortBy('createdAt', 'amount'),
    state: Type.Optional(SeveralOf(REPORT_STATES)),
    q: Type.Optional(Text(80)),
  }),
  reply: Closed({
    reports: Type.Array(
      Closed(
        {
          id: Type.String(),
          member: MemberRef,
          amount: Money,
          currency: Currency,
          state: ReportState,
          createdAt: Timestamp,
          transactions: Type.Array(
            Closed({ ...Candidate.properties, bookings: Bookings }, { $id: 'ReportTransaction' }),
          ),
          credits: Type.Array(Closed({ id: Type.String(), createdAt: Timestamp }), {
            description:
              'Deposits of this member and amount that may be the money already; a credit without a bank transaction then needs a second person',
          }),
          assignment: Nullable(Assignment),
          approval: Nullable(Type.String()),
        },
        { $id: 'ReportRow' },
      ),
    ),
    ...summed,
  }),
});

export const { take: takeReport, release: releaseReport } = assignmentCalls(
  '/api/operator/reports',
  'unmatched.settle',
  'a report',
);

export const creditReport = operatorCall({
  method: 'POST',
  path: '/api/operator/reports/{id}/credit',
  permission: 'unmatched.settle',
  summary:
    'Credit what was reported: with an unmatched bank transaction of the amount, or manually, where above the limit a second person decides',
  params,
  body: Closed({ transaction: Type.Optional(Id), reason: Reason }),
  reply: ActionReply,
  refusals: [...actionRefusals, 'APPROVAL_PENDING', 'MONEY_NOT_ENOUGH', 'OPERATOR_LIMIT'],
});

export const refuseReport = operatorCall({
  method: 'POST',
  path: '/api/operator/reports/{id}/refuse',
  permission: 'unmatched.settle',
  summary: "End a report without money; the member's statement says so",
  params,
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: [...actionRefusals, 'MONEY_NOT_ENOUGH'],
});

export const listAmbiguousMatches = operatorCall({
  method: 'GET',
  path: '/api/operator/doubts',
  permission: 'unmatched.read',
  summary:
    'Evidence of transfers that may be one known bank transaction or another, oldest first; nothing was booked for them',
  query: Closed({ ...cursorPage, ...sortBy('paidAt', 'amount') }),
  reply: Closed({
    ambiguousMatches: Type.Array(
      Closed(
        {
          id: Type.String(),
          source: OneOf(['QR', 'FEED', 'SLIP'] as const),
          bankCode: Type.String(),
          bankReference: Type.String(),
          amount: Money,
          currency: Currency,
          payerBank: Type.String(),
          payerAccount: Type.String({ description: 'Masked.' }),
          payerName: Nullable(Type.String()),
          paidAt: Timestamp,
          transactions: Type.Array(Candidate),
          reports: Type.Array(Closed({ id: Type.String(), member: MemberRef, createdAt: Timestamp }), {
            description: 'Manually credited payment reports whose money it may be.',
          }),
          assignment: Nullable(Assignment),
        },
        { $id: 'AmbiguousMatchRow' },
      ),
    ),
    ...summed,
  }),
});

export const takeAmbiguousMatch = operatorCall({
  method: 'POST',
  path: '/api/operator/doubts/{id}/claim',
  permission: 'unmatched.settle',
  summary: 'Take an ambiguous match; a repeat keeps it longer',
  params,
  reply: Assignment,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED'],
});

export const decideAmbiguousMatch = operatorCall({
  method: 'POST',
  path: '/api/operator/doubts/{id}/decide',
  permission: 'unmatched.settle',
  summary:
    'Decide what the evidence is of: a known bank transaction; the money of a manually credited payment report; or a separate transfer, of this member or unmatched. Final; the credit of a member whose money may be booked already waits for a second person',
  params,
  body: Closed({
    transaction: Type.Optional(Id),
    report: Type.Optional(Id),
    member: Type.Optional(Text(30, 1)),
    reason: Reason,
  }),
  reply: ActionReply,
  refusals: [...actionRefusals, 'NO_USER', 'MONEY_NOT_ENOUGH', 'APPROVAL_PENDING'],
});
