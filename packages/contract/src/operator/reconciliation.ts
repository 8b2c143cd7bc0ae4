/** Our books held against the partners', day by day. */

import { Type } from 'typebox';
import { DIFFERENCE_KINDS } from '../shared/statuses.ts';
import { operatorCall } from './call.ts';
import { counted, cursorPage } from './cursor.ts';
import {
  ActionReply,
  Closed,
  Currency,
  Day,
  Done,
  Id,
  MemberRef,
  Money,
  Nullable,
  OneOf,
  Reason,
  SeveralOf,
  SeveralTexts,
  sortBy,
  Text,
  Timestamp,
} from './schemas.ts';

const SourceId = Type.String({
  description: '"bank:SCB:2223334445", "gateway:WW", "gift", "game:betflix:BAHT".',
});
/** Totals of one side: number of lines, money in and out. Of a game: number of accounts and their balance. */
const Side = Closed({ count: Type.Integer(), in: Money, out: Money });

/**
 * WAITING: not compared yet. UNKNOWN: the partner did not respond and is queried again. NOT_OFFERED: the partner has
 * no books to compare with; `note` gives the reason.
 */
export const RunState = OneOf(['WAITING', 'COMPARED', 'UNKNOWN', 'NOT_OFFERED'] as const);
export const DIFFERENCE_STATES = ['OPEN', 'EXPLAINED'] as const;
export const DifferenceState = OneOf(DIFFERENCE_STATES);

export const readReconciliation = operatorCall({
  method: 'GET',
  path: '/api/operator/reconciliation',
  permission: 'reconciliation.read',
  summary: 'A day, source by source: what both sides have, and how much does not agree. Default: yesterday',
  query: Closed({ day: Type.Optional(Day) }),
  reply: Closed({
    day: Type.String(),
    today: Type.String({ description: 'The day in Bangkok now; no later one can be compared.' }),
    runs: Type.Array(
      Closed(
        {
          source: SourceId,
          name: Type.String({
            description: 'Of the account, gateway or game; empty where there is only one.',
          }),
          kind: OneOf(['bank', 'gateway', 'gift', 'game'] as const),
          currency: Currency,
          state: RunState,
          note: Nullable(Type.String()),
          file: Nullable(
            Type.String({
              description: 'Name of the statement file that replaces the partner’s books of this day.',
            }),
          ),
          isRunning: Type.Boolean({ description: 'It is being compared now.' }),
          theirs: Side,
          ours: Side,
          leftOut: Type.Integer({ description: 'Accounts that moved while they were compared.' }),
          open: Type.Integer(),
          explained: Type.Integer(),
          comparedTo: Nullable(Timestamp),
          comparedAt: Nullable(Timestamp),
        },
        { $id: 'ReconciliationRun' },
      ),
    ),
  }),
  refusals: ['INVALID_REQUEST'],
});

export const listDifferences = operatorCall({
  method: 'GET',
  path: '/api/operator/reconciliation/differences',
  permission: 'reconciliation.read',
  summary: 'What does not agree on a day (default: yesterday), open ones first',
  query: Closed({
    ...cursorPage,
    ...sortBy('at', 'gap'),
    day: Type.Optional(Day),
    source: Type.Optional(SeveralTexts(100)),
    kind: Type.Optional(SeveralOf(DIFFERENCE_KINDS)),
    state: Type.Optional(SeveralOf(DIFFERENCE_STATES)),
  }),
  reply: Closed({
    differences: Type.Array(
      Closed(
        {
          id: Type.String(),
          source: SourceId,
          kind: OneOf(DIFFERENCE_KINDS),
          direction: OneOf(['IN', 'OUT'] as const),
          currency: Currency,
          theirs: Nullable(
            Closed({
              reference: Type.String(),
              amount: Money,
              at: Timestamp,
              account: Nullable(Type.String({ description: 'Masked.' })),
            }),
          ),
          ours: Nullable(
            Closed({
              subject: Type.String({
                description: '"deposit:DP…", "withdrawal:WD…", "unmatched:12", "doubt:3", "game:betflix:7".',
              }),
              reference: Nullable(Type.String()),
              amount: Nullable(Money),
              at: Nullable(Timestamp),
            }),
          ),
          member: Nullable(MemberRef),
          state: DifferenceState,
          foundAt: Timestamp,
          explainedBy: Nullable(Type.String()),
          explainedAt: Nullable(Timestamp),
          explanation: Nullable(Type.String()),
        },
        { $id: 'ReconciliationDifference' },
      ),
    ),
    ...counted,
  }),
  refusals: ['INVALID_REQUEST'],
});

export const runReconciliation = operatorCall({
  method: 'POST',
  path: '/api/operator/reconciliation/run',
  permission: 'reconciliation.settle',
  summary: 'Compare a day anew, or one of its sources; done soon after, a repeat meanwhile changes nothing',
  body: Closed({ day: Day, source: Type.Optional(Text(100, 1)) }),
  reply: Done,
  refusals: ['NO_DATA', 'INVALID_REQUEST'],
});

export const explainDifference = operatorCall({
  method: 'POST',
  path: '/api/operator/reconciliation/differences/{id}/explain',
  permission: 'reconciliation.settle',
  summary: 'Say why something does not agree; it stays explained while its figures stay the same',
  params: Closed({ id: Id }),
  body: Closed({ reason: Reason }),
  reply: ActionReply,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});

/** Which formats of statement files are read. */
export const StatementFormat = OneOf(['csv', 'mt940', 'camt.053'] as const);

export const listStatements = operatorCall({
  method: 'GET',
  path: '/api/operator/reconciliation/statements',
  permission: 'reconciliation.read',
  summary: 'Statement files of our bank accounts, newest first, also those taken out of use',
  query: Closed({ ...cursorPage, ...sortBy('uploadedAt'), source: Type.Optional(SeveralTexts(100)) }),
  reply: Closed({
    statements: Type.Array(
      Closed(
        {
          id: Type.String(),
          source: SourceId,
          format: StatementFormat,
          name: Type.String(),
          from: Type.String({ description: 'The first day it covers.' }),
          to: Type.String({ description: 'The last day it covers.' }),
          lines: Type.Integer(),
          uploadedBy: Type.String(),
          uploadedAt: Timestamp,
          removedAt: Nullable(Timestamp),
        },
        { $id: 'StatementFile' },
      ),
    ),
    ...counted,
  }),
});

export const uploadStatement = operatorCall({
  method: 'POST',
  path: '/api/operator/reconciliation/statements',
  permission: 'reconciliation.settle',
  summary:
    'Take a statement file of one of our bank accounts. Its days are compared with it from then on, in place of the bank’s own call. It books nothing; a repeat of the same file keeps nothing and returns the first',
  multipart: {
    file: { isFile: true, description: 'CSV, SWIFT MT940 or ISO 20022 camt.053, up to 10 MB.' },
    source: { description: '"bank:SCB:2223334445": which account it is of.' },
  },
  reply: Closed({
    id: Type.String(),
    isRepeat: Type.Boolean(),
    format: StatementFormat,
    from: Type.String(),
    to: Type.String({ description: 'Days that are not over are left out.' }),
    lines: Type.Integer(),
  }),
  refusals: [
    'INVALID_REQUEST',
    'STATEMENT_TOO_LARGE',
    'NO_DATA',
    'STATEMENT_UNREADABLE',
    'STATEMENT_ACCOUNT',
    'STATEMENT_BALANCE',
    'STATEMENT_DAYS',
  ],
});

export const removeStatement = operatorCall({
  method: 'POST',
  path: '/api/operator/reconciliation/statements/{id}/remove',
  permission: 'reconciliation.settle',
  summary: 'Take a statement file out of use; its days are compared anew',
  params: Closed({ id: Id }),
  body: Closed({ reason: Reason }),
  reply: Done,
  refusals: ['NO_DATA', 'ROW_CHANGED'],
});
