/** The queue of withdrawals. */

import { Type } from 'typebox';
import { Localized } from '../shared/schemas.ts';
import { WITHDRAWAL_STATUSES } from '../shared/statuses.ts';
import { ASSIGNMENT_FILTERS, assignmentCalls } from './assignments.ts';
import { operatorCall } from './call.ts';
import { cursorPage, summed } from './cursor.ts';
import { MemberFlag } from './members.ts';
import { Assessment, RISK_OUTCOMES, Risk, RiskScore } from './risk.ts';
import {
  ActionReply,
  Assignment,
  between,
  Closed,
  Currency,
  Done,
  Id,
  MaskedAccount,
  MemberRef,
  Moment,
  Money,
  Nullable,
  OneOf,
  Reason,
  RowResults,
  SeveralOf,
  SeveralTexts,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

export const WithdrawalStatus = OneOf(WITHDRAWAL_STATUSES);
const params = Closed({ id: Id });
/** The state the operator has before their eyes: another one now refuses with ROW_CHANGED. */
const seen = { status: WithdrawalStatus };
const actionRefusals = ['NO_DATA', 'ROW_CHANGED', 'CLAIMED', 'NOT_CLAIMED'] as const;

const row = {
  id: Type.String(),
  member: MemberRef,
  amount: Money,
  currency: Currency,
  status: WithdrawalStatus,
  automatic: Type.Boolean(),
  account: MaskedAccount,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  heldUntil: Nullable(
    Type.String({ description: 'Not paid before this: the account replaced another a short while ago.' }),
  ),
  unplayed: Nullable(
    Type.Number({
      description: 'How much of it was paid in and not bet; 0: a provider did not tell. Null: nothing of it.',
    }),
  ),
  risk: Nullable(Closed({ score: RiskScore, outcome: OneOf(RISK_OUTCOMES) })),
  returnedAt: Nullable(Type.String({ description: 'When the bank had sent the paid money back.' })),
  assignment: Nullable(Assignment),
  approval: Nullable(Type.String({ description: 'The request that waits for a checker.' })),
  decision: Nullable(
    Closed({
      kind: OneOf(['APPROVE', 'REJECT'] as const),
      by: Type.String(),
      mine: Type.Boolean(),
      secondsLeft: Type.Number({ description: 'Until it is carried out; only who decided can undo it.' }),
    }),
  ),
  decidedBy: Nullable(
    Type.String({ description: 'Who approved, rejected or paid it; null while undecided.' }),
  ),
};
export const WithdrawalRow = Closed(row, { $id: 'WithdrawalRow' });

export const listWithdrawals = operatorCall({
  method: 'GET',
  path: '/api/operator/withdrawals',
  permission: 'withdrawal.read',
  summary: 'Withdrawals by filter, oldest waiting first',
  query: Closed({
    ...cursorPage,
    ...sortBy('createdAt', 'amount', 'risk'),
    ...between,
    status: Type.Optional(SeveralOf(['OPEN', 'QUEUED', 'REVIEW', 'PROCESSING', 'SUCCESS', 'FAILED'])),
    bank: Type.Optional(SeveralTexts(20)),
    assigned: Type.Optional(SeveralOf(ASSIGNMENT_FILTERS)),
    /** Those that the operator of this name has taken: what `mine` is to them, in a link for others. */
    assignee: Type.Optional(Text(80)),
    amountMin: Type.Optional(Type.Number({ minimum: 0 })),
    amountMax: Type.Optional(Type.Number({ minimum: 0 })),
    /** What the thresholds in force make of the score. */
    risk: Type.Optional(SeveralOf(RISK_OUTCOMES)),
    /** Requested at least this long ago. */
    olderMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** Paid within these times, as the figures of cash count them; half-open. */
    paidFrom: Type.Optional(Moment),
    paidTo: Type.Optional(Moment),
    member: Type.Optional(Text(30)),
    q: Type.Optional(Text(80)),
  }),
  reply: Closed({
    withdrawals: Type.Array(WithdrawalRow),
    ...summed,
  }),
});

export const listBanks = operatorCall({
  method: 'GET',
  path: '/api/operator/banks',
  permission: 'withdrawal.read',
  summary: 'The banks that members are paid at',
  reply: Closed({
    banks: Type.Array(Closed({ code: Type.String(), bankName: Type.String(), bankNameEn: Type.String() })),
  }),
});

export const readWithdrawal = operatorCall({
  method: 'GET',
  path: '/api/operator/withdrawals/{id}',
  permission: 'withdrawal.read',
  summary: 'One withdrawal with what an operator looks at before deciding',
  params,
  reply: Closed(
    {
      ...row,
      reason: Nullable(Type.String()),
      proof: Nullable(Type.String()),
      retryOf: Nullable(Type.String({ description: 'The refused withdrawal this one sends again.' })),
      retriedBy: Nullable(Type.String({ description: 'The withdrawal that sends this refused one again.' })),
      /** The account registered now, which a refused one would be sent to; null where none can be. */
      resendTo: Nullable(MaskedAccount),
      returnCandidates: Type.Array(
        Closed({
          id: Type.String(),
          bankCode: Type.String(),
          bankReference: Type.String(),
          paidAt: Timestamp,
        }),
        { description: 'Unmatched bank transactions of its amount that may be the paid money coming back.' },
      ),
      needsChecker: Type.Boolean({ description: 'An approval waits for a second person.' }),
      assessment: Nullable(Assessment),
      riskNow: Risk,
      flags: Type.Array(MemberFlag),
      recent: Type.Array(
        Closed({
          id: Type.String(),
          amount: Money,
          status: WithdrawalStatus,
          createdAt: Timestamp,
          score: Nullable(RiskScore),
        }),
        { description: "The member's five withdrawals before and after it, newest first." },
      ),
      notes: Type.Array(
        Closed({ id: Type.String(), at: Timestamp, by: Type.String(), text: Type.String() }),
        { description: 'The three newest about the member; empty for who may not read members.' },
      ),
      conversation: Nullable(
        Closed({ id: Type.String(), at: Timestamp, text: Type.String(), waiting: Type.Boolean() }),
      ),
      memberSince: Timestamp,
      paidBefore: Type.Integer({ description: 'Withdrawals of the member that were paid.' }),
      depositedSince: Money,
      gameResultSince: Money,
      balanceAfter: Money,
      nameMatches: Nullable(
        Type.Boolean({
          description: "Whether the account's name is the member's; null: they are in different scripts.",
        }),
      ),
      payout: Nullable(
        Closed({
          state: Type.String(),
          asked: Type.Integer(),
          sentAt: Timestamp,
          reason: Nullable(Type.String()),
        }),
      ),
      history: Type.Array(
        Closed({
          at: Timestamp,
          actor: Type.String(),
          action: Type.String(),
          reason: Nullable(Type.String()),
        }),
      ),
    },
    { $id: 'WithdrawalDetail' },
  ),
  refusals: ['NO_DATA'],
});

export const { take: takeWithdrawal, release: releaseWithdrawal } = assignmentCalls(
  '/api/operator/withdrawals',
  'withdrawal.decide',
  'a withdrawal',
);

export const listAssignees = operatorCall({
  method: 'GET',
  path: '/api/operator/assignees',
  permission: 'withdrawal.decide',
  summary: 'Other operators who may decide withdrawals, by name',
  reply: Closed({ operators: Type.Array(Closed({ id: Type.String(), name: Type.String() })) }),
});

export const assignWithdrawal = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/{id}/assign',
  permission: 'withdrawal.decide',
  summary:
    "Assign a withdrawal that is unassigned or the caller's to a colleague; it expires like the caller's own",
  params,
  body: Closed({ operator: Id }),
  reply: Assignment,
  refusals: ['NO_DATA', 'ROW_CHANGED', 'CLAIMED'],
});

export const approveWithdrawal = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/{id}/approve',
  permission: 'withdrawal.decide',
  summary: 'Let it be paid; above the limit a second person decides',
  params,
  body: Closed({ ...seen, reason: Type.Optional(Text(500)) }),
  reply: ActionReply,
  refusals: [...actionRefusals, 'INACTIVE_USER', 'APPROVAL_PENDING', 'OPERATOR_LIMIT'],
});

const Ids = Type.Array(Id, { minItems: 1, maxItems: 100 });
const rejection = {
  reason: Reason,
  reasonCode: Type.Optional(
    Text(30, 0, {
      description:
        'A prepared reason, which the member reads in their language; without it they read `reason`.',
    }),
  ),
};

export const approveWithdrawals = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/approve',
  permission: 'withdrawal.decide',
  summary: 'The same for many, each for itself; answers what became of every row',
  body: Closed({ ids: Ids, reason: Type.Optional(Text(500)) }),
  reply: RowResults,
});

export const rejectWithdrawal = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/{id}/reject',
  permission: 'withdrawal.decide',
  summary:
    'Refuse it: once the decision can no longer be undone, the money is back in the wallet and the member reads why',
  params,
  body: Closed({ ...seen, ...rejection }),
  reply: ActionReply,
  refusals: [...actionRefusals, 'APPROVAL_PENDING'],
});

export const rejectWithdrawals = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/reject',
  permission: 'withdrawal.decide',
  summary: 'Refuse many waiting ones for one reason, each for itself; answers what became of every row',
  body: Closed({ ids: Ids, ...rejection }),
  reply: RowResults,
  refusals: ['NO_DATA'],
});

export const undoWithdrawals = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/undo',
  permission: 'withdrawal.read',
  summary:
    "Undo one's own decisions that are not carried out yet: the withdrawals, and requests that were approved, wait as before",
  body: Closed({ ids: Ids }),
  reply: RowResults,
});

const RejectionReason = Closed(
  { id: Type.String(), notice: Localized(Text(500, 1)) },
  { $id: 'RejectionReason' },
);

export const listRejectionReasons = operatorCall({
  method: 'GET',
  path: '/api/operator/rejection-reasons',
  permission: 'withdrawal.read',
  summary: 'Reasons prepared for rejecting a withdrawal, as the member reads them in each language',
  reply: Closed({ reasons: Type.Array(RejectionReason) }),
});

export const saveRejectionReason = operatorCall({
  method: 'PUT',
  path: '/api/operator/rejection-reasons/{id}',
  permission: 'chat.manage',
  summary: 'Prepare a reason, or change one; what members have received stays as it was',
  params: Closed({ id: Type.String({ pattern: '^[a-z0-9-]{1,30}$', maxLength: 30 }) }),
  body: Closed({ notice: RejectionReason.properties.notice }),
  reply: Done,
});

export const removeRejectionReason = operatorCall({
  method: 'DELETE',
  path: '/api/operator/rejection-reasons/{id}',
  permission: 'chat.manage',
  summary: 'Remove a prepared reason',
  params: Closed({ id: Text(30, 1) }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const payWithdrawalManually = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/{id}/paid',
  permission: 'withdrawal.pay',
  summary:
    "Book it as paid manually, with the bank's reference as proof; a withdrawal with a payout order, or above the limit, needs a second person. One that the bank reports as paid or in progress is refused, and so is a proof that another withdrawal was booked with",
  params,
  body: Closed({ ...seen, proof: Text(500, 3), bankCode: Text(20, 2), reason: Type.Optional(Text(500)) }),
  reply: ActionReply,
  refusals: [
    ...actionRefusals,
    'NO_BANK',
    'ACCOUNT_COOLING',
    'INACTIVE_USER',
    'PAYOUT_UNSURE',
    'PROOF_USED',
    'APPROVAL_PENDING',
    'MONEY_NOT_ENOUGH',
    'OPERATOR_LIMIT',
  ],
});

export const retryWithdrawal = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/{id}/retry',
  permission: 'withdrawal.decide',
  summary:
    'PROCESSING: query the bank again now about the payout. FAILED: send the refused payout once more, if the bank states by our reference that nothing was paid',
  params,
  body: Closed(seen),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'ROW_CHANGED',
    'PAYOUT_UNSURE',
    'WALLET_SHORT',
    'BONUS_REMAINING',
    'INACTIVE_USER',
    'APPROVAL_PENDING',
    'MONEY_NOT_ENOUGH',
    'NOT_CLAIMED',
    'OPERATOR_LIMIT',
  ],
});

export const returnWithdrawal = operatorCall({
  method: 'POST',
  path: '/api/operator/withdrawals/{id}/return',
  permission: 'withdrawal.pay',
  summary:
    'Request to book that the bank sent a paid withdrawal back, with its reference as proof; a second person decides, who sees a deposit that may be its money. `transaction` is the unmatched bank transaction that is the money, if there is one',
  params,
  body: Closed({ proof: Text(500, 3), reason: Reason, transaction: Type.Optional(Id) }),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'ROW_CHANGED',
    'APPROVAL_PENDING',
    'MONEY_NOT_ENOUGH',
    'CLAIMED',
    'NOT_CLAIMED',
    'OPERATOR_LIMIT',
  ],
});
