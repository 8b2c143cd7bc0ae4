/** The day at a glance, requests that wait for a second person, the audit trail, and finding anything. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import { counted, cursorPage } from './cursor.ts';
import {
  ActionReply,
  between,
  Closed,
  Currency,
  Done,
  Id,
  Money,
  Nullable,
  OneOf,
  PrintedAccount,
  RowResults,
  SeveralOf,
  SeveralTexts,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

/** Null: the caller may not open that queue. */
const Waiting = Nullable(Closed({ count: Type.Integer(), oldest: Nullable(Timestamp) }));

export const readToday = operatorCall({
  method: 'GET',
  path: '/api/operator/today',
  permission: 'today.read',
  summary: 'What waits, since when; money in and out today',
  reply: Closed(
    {
      waiting: Closed({
        withdrawals: Waiting,
        unmatched: Waiting,
        reports: Waiting,
        slips: Waiting,
        kyc: Waiting,
        transfers: Waiting,
        approvals: Waiting,
        chats: Waiting,
        alerts: Waiting,
      }),
      cash: Type.Array(
        Closed({
          currency: Currency,
          in: Money,
          inCount: Type.Integer(),
          out: Money,
          outCount: Type.Integer(),
        }),
      ),
      now: Timestamp,
    },
    { $id: 'Today' },
  ),
});

/** What an installation needs before it opens, in the order it is done. */
export const SETUP_ITEMS = [
  'administrators',
  'cashiers',
  'deposit-account',
  'payout',
  'game',
  'site',
  'contact',
  'agreements',
  'help',
  'backup',
] as const;

export const readSetup = operatorCall({
  method: 'GET',
  path: '/api/operator/setup',
  permission: 'today.read',
  summary: 'What a new installation still needs, found in its data; empty for a demo',
  reply: Closed({
    items: Type.Array(
      Closed({
        code: OneOf(SETUP_ITEMS),
        isDone: Type.Boolean(),
        missing: Type.Array(Type.String(), { description: 'Settings of the server that are not set.' }),
      }),
    ),
  }),
});

const APPROVAL_STATES = ['PENDING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'LAPSED'] as const;
export const ApprovalState = OneOf(APPROVAL_STATES);

export const Approval = Closed(
  {
    id: Type.String(),
    action: Type.String(),
    subject: Type.String(),
    summary: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What will change, as the maker saw it.',
    }),
    reason: Nullable(Type.String()),
    maker: Type.String(),
    mine: Type.Boolean(),
    /** Whether the caller may decide it. */
    mayCheck: Type.Boolean(),
    /** Whether the caller may take it back. */
    mayWithdraw: Type.Boolean(),
    state: ApprovalState,
    lapsedBecause: Nullable(OneOf(['TIME', 'MAKER', 'PASSWORD'] as const)),
    madeAt: Timestamp,
    /** Null when it stays until it is decided. */
    lapsesAt: Nullable(Timestamp),
    checker: Nullable(Type.String()),
    checkedAt: Nullable(Timestamp),
    note: Nullable(Type.String()),
  },
  { $id: 'Approval' },
);

export const listApprovals = operatorCall({
  method: 'GET',
  path: '/api/operator/approvals',
  permission: 'approval.read',
  summary: 'Requests that wait, or were made, newest first',
  query: Closed({
    ...cursorPage,
    ...sortBy('madeAt'),
    state: Type.Optional(SeveralOf(APPROVAL_STATES)),
    whose: Type.Optional(OneOf(['mine', 'others'] as const)),
    action: Type.Optional(SeveralTexts(40)),
    amountMin: Type.Optional(Type.Number({ minimum: 0 })),
    amountMax: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  reply: Closed({ approvals: Type.Array(Approval), ...counted }),
});

const params = Closed({ id: Id });

export const listApprovalKinds = operatorCall({
  method: 'GET',
  path: '/api/operator/approval-kinds',
  permission: 'approval.read',
  summary: 'The kinds of requests, by the requested action',
  reply: Closed({ kinds: Type.Array(Type.String()) }),
});

export const readApproval = operatorCall({
  method: 'GET',
  path: '/api/operator/approvals/{id}/thread',
  permission: 'approval.read',
  summary:
    'What is in force now beside what a request would set, and what its maker and others wrote about it',
  params,
  reply: Closed({
    current: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What is in force now, by the names of the summary; null: it replaces nothing.',
      }),
    ),
    changed: Type.Boolean({ description: 'What is in force is no longer what the maker saw.' }),
    comments: Type.Array(
      Closed({
        id: Type.String(),
        at: Timestamp,
        by: Type.String(),
        mine: Type.Boolean(),
        text: Type.String(),
      }),
    ),
  }),
  refusals: ['NO_DATA'],
});

export const commentApproval = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/{id}/comments',
  permission: 'approval.read',
  summary: 'Comment on a pending request, for its maker and checker',
  params,
  body: Closed({ text: Text(2000, 1) }),
  reply: Done,
  refusals: ['NO_DATA', 'APPROVAL_LAPSED'],
});

const Ids = Type.Array(Id, { minItems: 1, maxItems: 100 });

export const approveMany = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/approve',
  permission: 'approval.read',
  summary: 'Say yes to many requests, each for itself; answers what became of every one',
  body: Closed({ ids: Ids }),
  reply: RowResults,
});

export const refuseMany = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/refuse',
  permission: 'approval.read',
  summary: 'Say no to many requests with one note; answers what became of every one',
  body: Closed({ ids: Ids, note: Text(500, 3) }),
  reply: RowResults,
});

export const approve = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/{id}/approve',
  permission: 'approval.read',
  summary: 'Approve a request of another operator; the state is checked again and the action runs at once',
  params,
  body: Closed({ note: Type.Optional(Text(500)) }),
  reply: ActionReply,
  refusals: [
    'NO_DATA',
    'UNAUTHORIZED',
    'APPROVAL_MAKER',
    'APPROVAL_LAPSED',
    'ROW_CHANGED',
    'INACTIVE_USER',
    'APPROVAL_PENDING',
    'PAYOUT_UNSURE',
    'PROOF_USED',
    'MONEY_NOT_ENOUGH',
    'OPERATOR_LIMIT',
    'ROLE_IN_USE',
    'CODE_TAKEN',
    'EXISTING_BANK',
    'EXISTING_OPERATOR',
    'ACCOUNT_COOLING',
    'IDEMPOTENCY_CONFLICT',
    'CLAIMED',
    'NOT_CLAIMED',
    'WALLET_SHORT',
    'BONUS_REMAINING',
    'BONUS_CONDITION',
    'PROVIDER_UNAVAILABLE',
    'TRANSFER_FAIL',
  ],
});

export const refuse = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/{id}/refuse',
  permission: 'approval.read',
  summary: 'Say no, with a note',
  params,
  body: Closed({ note: Text(500, 3) }),
  reply: Done,
  refusals: ['NO_DATA', 'UNAUTHORIZED', 'APPROVAL_MAKER', 'APPROVAL_LAPSED'],
});

export const withdraw = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/{id}/withdraw',
  permission: 'approval.read',
  summary: 'Take back a request of one’s own',
  params,
  reply: Done,
  refusals: ['NO_DATA', 'UNAUTHORIZED', 'APPROVAL_LAPSED'],
});

export const revealAccounts = operatorCall({
  method: 'POST',
  path: '/api/operator/approvals/{id}/accounts',
  permission: 'member.reveal',
  summary: 'The full account numbers of a request for another bank account; leaves an audit row',
  params,
  reply: Closed({ from: Type.String(), to: Type.String() }),
  refusals: ['NO_DATA'],
});

export const listAudit = operatorCall({
  method: 'GET',
  path: '/api/operator/audit',
  permission: 'audit.read',
  summary: 'The audit trail by filter, newest first',
  query: Closed({
    ...cursorPage,
    ...sortBy('at'),
    ...between,
    actor: Type.Optional(Text(80)),
    /** Actions that begin with one of these, such as `withdrawal` or `withdrawal.approve`. */
    action: Type.Optional(SeveralTexts(80)),
    subject: Type.Optional(Text(80)),
    address: Type.Optional(Text(60)),
  }),
  reply: Closed({
    rows: Type.Array(
      Closed(
        {
          id: Type.String(),
          at: Timestamp,
          actor: Type.String(),
          role: Nullable(Type.String()),
          action: Type.String(),
          subject: Type.String(),
          currency: Type.Union([Currency, Type.Null()], {
            description: 'The member’s currency: amounts without a currency are in it.',
          }),
          before: Type.Unknown(),
          after: Type.Unknown(),
          reason: Nullable(Type.String()),
          address: Nullable(Type.String()),
        },
        { $id: 'AuditRow' },
      ),
    ),
    ...counted,
  }),
});

export const find = operatorCall({
  method: 'GET',
  path: '/api/operator/find',
  permission: 'today.read',
  summary:
    'Whatever a phone, id, account number, reference or amount leads to; only what the caller may read',
  query: Closed({ q: Text(80, 1) }),
  reply: Closed({
    found: Type.Array(
      Closed({
        kind: OneOf([
          'member',
          'withdrawal',
          'deposit',
          'slip',
          'report',
          'unmatched',
          'transfer',
          'error',
        ] as const),
        id: Type.String(),
        title: Type.String(),
        amount: Nullable(Money),
        currency: Nullable(Currency),
        state: Nullable(Type.String({ description: 'Of a deposit: its channel; of an error: its code.' })),
        at: Nullable(Timestamp),
        memberId: Nullable(
          Type.String({ description: 'Of an error: whose call it was; null: a visitor’s.' }),
        ),
        call: Nullable(Type.String({ description: 'Of an error: method and path.' })),
        phone: Nullable(Type.String({ description: 'Of a member; masked.' })),
        account: Nullable(PrintedAccount),
      }),
    ),
  }),
});
