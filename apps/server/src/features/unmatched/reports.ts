import { exports, reports } from '@krapao/contract/operator';
import { fromMinor, type RefusalsOf } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { Actor } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { chosenOf, oneOrSeveral } from '../../platform/http/choices.ts';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { timesOf } from '../../platform/http/list.ts';
import { searchOf } from '../../platform/member-search.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  recordSmallAction,
  requestApproval,
  requirePosted,
  requireWithinLimit,
} from '../approvals/read.ts';
import { assignedAfter, release, requireAssignment } from '../assignments/read.ts';
import { bankTransactionUse, walletTurn } from '../deposits/read.ts';
import { assignmentOf, letGo, take } from './assignment.ts';
import { bookingView } from './bookings.ts';
import {
  type CandidateTransaction,
  exportReports,
  findReport,
  listReports,
  REPORT_KEYS,
  type ReportFilter,
  type ReportRow,
} from './report-queries.ts';
import type { UnmatchedDeps } from './unmatched.ts';

/** A transaction that may be the money, as operators see it. */
export const bankTransactionView = (transaction: CandidateTransaction) => ({
  id: transaction.id,
  state: transaction.state,
  bankCode: transaction.bank_code,
  bankReference: transaction.bank_reference,
  payerBank: transaction.payer_bank,
  payerAccount: transaction.payer_mask,
  likely:
    transaction.likely_id === null
      ? null
      : { id: transaction.likely_id, name: transaction.likely_name ?? '' },
  paidAt: new Date(transaction.paid_at).toISOString(),
});

const rowView = (deps: UnmatchedDeps, row: ReportRow, operator: Operator) => ({
  id: row.id,
  member: { id: String(row.member_id), name: row.member_name },
  amount: fromMinor(row.amount, row.currency),
  currency: row.currency,
  state: row.status,
  createdAt: row.created_at.toISOString(),
  transactions: row.transactions.map((transaction) => ({
    ...bankTransactionView(transaction),
    bookings: transaction.bookings.map(bookingView),
  })),
  credits: row.credits.map((one) => ({ id: one.id, createdAt: new Date(one.created_at).toISOString() })),
  assignment: assignmentOf(deps, row, operator.id),
  approval: row.approval,
});

async function getReportOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  deps: UnmatchedDeps,
  id: string,
): Promise<ReportRow> {
  const row = await findReport(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  if (row.status !== 'PENDING') throw refuse('ROW_CHANGED', { state: row.status });
  return row;
}

interface End {
  /** null: refused. 'hand': an operator's own entry. Else the unmatched transaction that is the money. */
  by: null | 'hand' | CandidateTransaction;
  reason: string | null;
  approvalId: string | null;
}

/** The source account of the money, and the reference that makes it once-only. */
async function sourceOf(deps: UnmatchedDeps, row: ReportRow, by: End['by']) {
  if (by === null) return { reference: `report:${row.id}:end`, from: null };
  if (by === 'hand')
    return { reference: `report:${row.id}:end`, from: await deps.systemAccount('manual', row.currency) };
  return { reference: bankTransactionUse(by), from: await deps.systemAccount('unmatched', row.currency) };
}

/** Ends a report exactly once, with its money if it has any; neither a slip nor a second operator can use its transaction. */
async function endReport<Code extends 'OPERATOR_LIMIT' | 'APPROVAL_PENDING' | 'CLAIMED' = never>(
  refuse: Refuse<PostingCode | Code>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: ReportRow,
  end: End,
): Promise<string> {
  const status = end.by === null ? 'FAILED' : 'SUCCESS';
  const transaction = end.by !== null && end.by !== 'hand' ? end.by : null;
  const { reference, from } = await sourceOf(deps, row, end.by);
  const auditEntry = {
    action: end.by === null ? 'report.refuse' : 'report.credit',
    subject: entityRef('report', row.id),
    before: { state: row.status },
    after: {
      state: status,
      amount: row.amount,
      currency: row.currency,
      member: row.member_id,
      line: transaction?.id,
    },
    reason: end.reason,
  };
  const under = {
    at: deps.clock.now(),
    approvalId: end.approvalId,
    assignedAfter: assignedAfter(deps),
  };
  const outcome = await deps.ledger.post({
    reference,
    kind: transaction ? 'deposit_assigned' : from ? 'manual_credit' : 'deposit_refused',
    memberId: row.member_id,
    legs: from ? [{ from, to: row.wallet_account, amountMinor: row.amount }] : [],
    attached: {
      name: 'operator_report',
      row: {
        action: actionRow(actor, auditEntry, under),
        id: row.id,
        memberId: row.member_id,
        amount: row.amount,
        status,
        bankTransactionId: transaction ? BigInt(transaction.id) : null,
        category: 'other',
      },
    },
    exclusive: [`report ${row.id}`, walletTurn(row.member_id)],
  });
  await requirePosted<Code>(refuse, outcome, async () => (await findReport(deps.pool, row.id))?.status);
  return status;
}

/** The transaction of a report by its id; a manual entry without one. */
function sourceOfReport(
  refuse: Refuse<'ROW_CHANGED'>,
  row: ReportRow,
  transaction: string | undefined,
): ReportRow['transactions'][number] | 'hand' {
  if (transaction === undefined) return 'hand';
  const by = row.transactions.find(({ id }) => id === transaction);
  if (!by) throw refuse('ROW_CHANGED', { state: row.status });
  return by;
}

/** What a request to credit a report is carried out with. */
interface CreditPayload {
  id: string;
  /** None: a manual entry. */
  transaction?: string;
}

/** What of reports waits for a second person. */
export const reportActions = (deps: UnmatchedDeps): CheckedAction[] => [
  {
    name: 'report.credit',
    permission: 'approval.money',
    madeWith: ['unmatched.settle'],
    async carryOut(refuse, request, actor) {
      const { id, transaction } = request.payload as CreditPayload;
      const row = await getReportOrThrow(refuse, deps, id);
      const end = {
        by: sourceOfReport(refuse, row, transaction),
        reason: request.reason,
        approvalId: request.id,
      };
      return {
        state: await endReport<'OPERATOR_LIMIT' | 'APPROVAL_PENDING' | 'CLAIMED'>(
          refuse,
          deps,
          actor,
          row,
          end,
        ),
      };
    },
  },
];

/** Requests the credit of a report, naming the bookings that may already contain its money. */
async function requestCredit(
  refuse: Refuse<RefusalsOf<typeof reports.creditReport>>,
  deps: UnmatchedDeps,
  tx: PoolClient,
  actor: Actor,
  row: ReportRow,
  { by, bookings, reason }: { by: Exclude<End['by'], null>; bookings: { id: string }[]; reason: string },
): Promise<string> {
  const transaction = by === 'hand' ? undefined : by;
  const approval = await requestApproval(refuse, deps, tx, actor, {
    action: 'report.credit',
    subject: entityRef('report', row.id),
    payload: { id: row.id, ...(transaction && { transaction: transaction.id }) } satisfies CreditPayload,
    summary: {
      id: row.id,
      member: String(row.member_id),
      amount: fromMinor(row.amount, row.currency),
      currency: row.currency,
      ...(transaction && { line: `${transaction.bank_code} ${transaction.bank_reference}` }),
      ...(bookings.length > 0 && { credited: bookings.map(({ id }) => id).join(', ') }),
    },
    reason,
  });
  await release(tx, entityRef('report', row.id), actor);
  return approval;
}

/**
 * Credits money that no bank transaction explains: an operator's entry, and checked like one. Where the member has been
 * credited the same amount since, a second operator must agree with any limit and `desk.makerChecker`.
 */
async function creditByManualEntry(
  refuse: Refuse<RefusalsOf<typeof reports.creditReport>>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: ReportRow,
  reason: string,
) {
  const approval = await inTransaction(deps.pool, async (tx) => {
    await requireAssignment(refuse, deps, tx, entityRef('report', row.id), actor);
    const mayAlone =
      row.credits.length === 0 &&
      (await recordSmallAction(deps, tx, {
        operatorId: actor.id,
        reference: entityRef('report', row.id),
        direction: 'credit',
        unit: row.currency,
        amount: row.amount,
        members: [row.member_id],
        isBatch: false,
      }));
    if (mayAlone) {
      // What is above their limit does not count as done alone; the ledger's guard checks again under this reference.
      const { currency } = row;
      const reference = entityRef('report', row.id);
      await requireWithinLimit(refuse, deps, tx, actor, {
        kind: 'credit',
        currency,
        amount: row.amount,
        reference,
      });
      return null;
    }
    return requestCredit(refuse, deps, tx, actor, row, { by: 'hand', bookings: row.credits, reason });
  });
  if (approval) return { state: row.status, approval };
  const state = await endReport<'OPERATOR_LIMIT'>(refuse, deps, actor, row, {
    by: 'hand',
    reason,
    approvalId: null,
  });
  return { state, approval };
}

/** Credits the money of a bank transaction; where it may already be booked, a second operator must agree. */
async function creditByTransaction(
  refuse: Refuse<RefusalsOf<typeof reports.creditReport>>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: ReportRow,
  { by, reason }: { by: ReportRow['transactions'][number]; reason: string },
) {
  if (by.bookings.length > 0)
    return inTransaction(deps.pool, async (tx) => {
      await requireAssignment(refuse, deps, tx, entityRef('report', row.id), actor);
      const approval = await requestCredit(refuse, deps, tx, actor, row, {
        by,
        bookings: by.bookings,
        reason,
      });
      return { state: row.status, approval };
    });
  const end = { by, reason, approvalId: null };
  const state = await endReport<'APPROVAL_PENDING' | 'CLAIMED'>(refuse, deps, actor, row, end);
  return { state, approval: null };
}

type ListQuery = Omit<Static<typeof reports.listReports.query>, 'page' | 'limit'>;

/** Filter and order; those that wait come oldest first, others and several states latest first. */
function wantedOf(deps: UnmatchedDeps, query: ListQuery): { filter: ReportFilter; sort: string } {
  const states = chosenOf(query.state, reports.REPORT_STATES) ?? ['PENDING'];
  const sort = query.sort ?? (oneOrSeveral(states).one === 'PENDING' ? 'createdAt' : '-createdAt');
  return { filter: { states, ...searchOf(deps, query.q), ...timesOf(query) }, sort };
}

/** Serves operators the calls for payment reports of members. */
export function reportCalls(declare: OperatorDeclare, deps: UnmatchedDeps & ExportDeps): void {
  declare(exports.exportReports, async ({ params, query, actor, reply }) => {
    const { filter, sort } = wantedOf(deps, query);
    const wanted = { actor, reply, name: 'reports', ...params, filters: query };
    return sendExport(deps, wanted, exportReports(filter, sort));
  });
  declare(reports.listReports, async ({ query, operator }) => {
    const { filter, sort } = wantedOf(deps, query);
    const { rows, page } = await summedPage(query, { keys: REPORT_KEYS, standard: sort }, (slice, counted) =>
      listReports(deps.reads, filter, slice, counted),
    );
    return { reports: rows.map((row) => rowView(deps, row, operator)), ...page };
  });
  declare(reports.takeReport, async ({ params, actor, refuse }) => {
    const row = await getReportOrThrow(refuse, deps, params.id);
    return take(refuse, deps, entityRef('report', row.id), actor);
  });
  declare(reports.releaseReport, ({ params, actor }) => letGo(deps, entityRef('report', params.id), actor));
  declare(reports.creditReport, async ({ params, body, actor, refuse }) => {
    const row = await getReportOrThrow(refuse, deps, params.id);
    const by = sourceOfReport(refuse, row, body.transaction);
    return by === 'hand'
      ? creditByManualEntry(refuse, deps, actor, row, body.reason)
      : creditByTransaction(refuse, deps, actor, row, { by, reason: body.reason });
  });
  declare(reports.refuseReport, async ({ params, body, actor, refuse }) => {
    const row = await getReportOrThrow(refuse, deps, params.id);
    const end = { by: null, reason: body.reason, approvalId: null };
    return { state: await endReport<never>(refuse, deps, actor, row, end), approval: null };
  });
}
