import { exports, reports } from '@krapao/contract/operator';
import { fromMinor, type RefusalsOf } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { Actor } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { chosenOf, oneOrSeveral } from '../../platform/http/choices.ts';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { timesOf } from '../../platform/http/list.ts';
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
  transactions: row.transactions.map(bankTransactionView),
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
    assignedAfter: end.approvalId ? null : assignedAfter(deps),
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

/** What of reports waits for a second person. */
export const reportActions = (deps: UnmatchedDeps): CheckedAction[] => [
  {
    name: 'report.credit',
    permission: 'approval.money',
    madeWith: ['unmatched.settle'],
    async carryOut(refuse, request, actor) {
      const row = await getReportOrThrow(refuse, deps, (request.payload as { id: string }).id);
      const { id: approvalId, reason } = request;
      return {
        state: await endReport<'OPERATOR_LIMIT'>(refuse, deps, actor, row, {
          by: 'hand',
          reason,
          approvalId,
        }),
      };
    },
  },
];

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
  const amount = fromMinor(row.amount, row.currency);
  const approval = await inTransaction(deps.pool, async (tx) => {
    await requireAssignment(refuse, deps, tx, entityRef('report', row.id), actor);
    const mayPayTwice = row.credits.length > 0;
    const mayAlone =
      !mayPayTwice &&
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
    const approval = await requestApproval(refuse, deps, tx, actor, {
      action: 'report.credit',
      subject: entityRef('report', row.id),
      payload: { id: row.id },
      summary: {
        id: row.id,
        member: String(row.member_id),
        amount,
        currency: row.currency,
        ...(mayPayTwice ? { credited: row.credits.map(({ id }) => id).join(', ') } : {}),
      },
      reason,
    });
    await release(tx, entityRef('report', row.id), actor);
    return approval;
  });
  if (approval) return { state: row.status, approval };
  const state = await endReport<'OPERATOR_LIMIT'>(refuse, deps, actor, row, {
    by: 'hand',
    reason,
    approvalId: null,
  });
  return { state, approval };
}

type ListQuery = Omit<Static<typeof reports.listReports.query>, 'page' | 'limit'>;

/** Filter and order; those that wait come oldest first, others and several states latest first. */
function wantedOf(query: ListQuery): { filter: ReportFilter; sort: string } {
  const states = chosenOf(query.state, reports.REPORT_STATES) ?? ['PENDING'];
  const sort = query.sort ?? (oneOrSeveral(states).one === 'PENDING' ? 'createdAt' : '-createdAt');
  return { filter: { states, text: query.q?.trim() || null, ...timesOf(query) }, sort };
}

/** Serves operators the calls for payment reports of members. */
export function reportCalls(declare: OperatorDeclare, deps: UnmatchedDeps & ExportDeps): void {
  declare(exports.exportReports, async ({ params, query, actor, reply }) => {
    const { filter, sort } = wantedOf(query);
    const wanted = { actor, reply, name: 'reports', ...params, filters: query };
    return sendExport(deps, wanted, exportReports(filter, sort));
  });
  declare(reports.listReports, async ({ query, operator }) => {
    const { filter, sort } = wantedOf(query);
    const { rows, page } = await summedPage(query, { keys: REPORT_KEYS, standard: sort }, (slice, counted) =>
      listReports(deps.pool, filter, slice, counted),
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
    if (body.transaction === undefined) return creditByManualEntry(refuse, deps, actor, row, body.reason);
    const by = row.transactions.find((transaction) => transaction.id === body.transaction);
    if (!by) throw refuse('ROW_CHANGED', { state: row.status });
    const end = { by, reason: body.reason, approvalId: null };
    return {
      state: await endReport<'APPROVAL_PENDING' | 'CLAIMED'>(refuse, deps, actor, row, end),
      approval: null,
    };
  });
  declare(reports.refuseReport, async ({ params, body, actor, refuse }) => {
    const row = await getReportOrThrow(refuse, deps, params.id);
    const end = { by: null, reason: body.reason, approvalId: null };
    return { state: await endReport<never>(refuse, deps, actor, row, end), approval: null };
  });
}
