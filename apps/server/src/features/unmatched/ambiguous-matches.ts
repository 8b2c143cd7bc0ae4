import { exports, reports } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { Actor } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { actionRow, type PostingCode, requirePosted } from '../approvals/read.ts';
import { assignedAfter } from '../assignments/read.ts';
import { findBankTransactionByReference } from '../deposits/read.ts';
import type { MeantMember } from '../members/read.ts';
import { assignmentOf, take } from './assignment.ts';
import {
  AMBIGUOUS_KEYS,
  type AmbiguousMatchRow,
  exportAmbiguousMatches,
  findAmbiguousMatch,
  listAmbiguousMatches,
} from './report-queries.ts';
import { bankTransactionView } from './reports.ts';
import {
  assign,
  getBankTransactionOrThrow,
  getPayeeOrThrow,
  payerName,
  type UnmatchedDeps,
} from './unmatched.ts';

const rowView = (deps: UnmatchedDeps, row: AmbiguousMatchRow, operator: Operator) => ({
  id: String(row.id),
  source: row.source,
  bankCode: row.bank_code,
  bankReference: row.bank_reference,
  amount: fromMinor(row.amount, row.currency),
  currency: row.currency,
  payerBank: row.payer_bank,
  payerAccount: row.payer_mask,
  payerName: payerName(deps, row),
  paidAt: row.paid_at.toISOString(),
  transactions: row.transactions.map(bankTransactionView),
  reports: row.reports.map(({ id, member_id, member_name, created_at }) => ({
    id,
    member: { id: member_id, name: member_name },
    createdAt: new Date(created_at).toISOString(),
  })),
  assignment: assignmentOf(deps, row, operator.id),
});

async function getAmbiguousMatchOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  deps: UnmatchedDeps,
  id: string,
): Promise<AmbiguousMatchRow> {
  const row = /^\d{1,18}$/.test(id) ? await findAmbiguousMatch(deps.pool, BigInt(id)) : undefined;
  if (!row) throw refuse('NO_DATA');
  if (row.state !== 'ASK') throw refuse('ROW_CHANGED', { state: row.state });
  return row;
}

/** The legs of a decision: the transfer of a known transaction moves nothing, a separate one is booked as unmatched. */
async function legsOf(deps: UnmatchedDeps, row: AmbiguousMatchRow, transaction: string | null) {
  if (transaction !== null) return [];
  const from = await deps.systemAccount(`bank:${row.bank_code}`, row.currency);
  const to = await deps.systemAccount('unmatched', row.currency);
  return [{ from, to, amountMinor: row.amount }];
}

/** Keys that keep apart the decisions on evidence that may be of one transfer. */
const turnsOf = (row: AmbiguousMatchRow): string[] => [
  `transfer ${row.bank_code} ${row.bank_reference}`,
  `transfer ${row.bank_code} ${row.currency} ${row.amount}`,
];

/**
 * Decides exactly once that evidence is of this transaction, or, with null, of a transfer of its own, which is booked as
 * unmatched. It takes its turn among other evidence that may be of the same transfer.
 */
async function decide(
  refuse: Refuse<PostingCode>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: AmbiguousMatchRow,
  transaction: string | null,
  reason: string,
): Promise<string> {
  const now = deps.clock.now();
  const state = transaction ? 'TIED' : 'UNMATCHED';
  const auditEntry = {
    action: transaction ? 'doubt.tie' : 'doubt.own',
    subject: entityRef('doubt', row.id),
    before: { state: row.state },
    after: { state, line: transaction, amount: row.amount, currency: row.currency },
    reason,
  };
  const outcome = await deps.ledger.post({
    // A transfer of its own is booked under the bank's reference, like every transfer.
    reference: transaction ? `doubt:${row.id}:tie` : `bank:${row.bank_code}:${row.bank_reference}`,
    kind: transaction ? 'transfer_tie' : 'deposit_unmatched',
    legs: await legsOf(deps, row, transaction),
    attached: {
      name: 'operator_evidence',
      row: {
        action: actionRow(actor, auditEntry, { at: now, assignedAfter: assignedAfter(deps) }),
        evidenceId: row.id,
        bankTransactionId: transaction === null ? null : BigInt(transaction),
        memberId: null,
        depositId: null,
      },
    },
    exclusive: turnsOf(row),
  });
  await requirePosted(refuse, outcome, async () => (await findAmbiguousMatch(deps.pool, row.id))?.state);
  return state;
}

/**
 * Decides exactly once that a transfer is the money of a payment report that was credited manually: the manual entry is
 * taken back with it, and the member's wallet stays as it is. Throws ROW_CHANGED when it cannot be that report's money.
 */
async function decideAsReport(
  refuse: Refuse<PostingCode>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: AmbiguousMatchRow,
  { report, reason }: { report: string; reason: string },
): Promise<string> {
  const [from, to] = await Promise.all([
    deps.systemAccount(`bank:${row.bank_code}`, row.currency),
    deps.systemAccount('manual', row.currency),
  ]);
  const auditEntry = {
    action: 'doubt.report',
    subject: entityRef('doubt', row.id),
    before: { state: row.state },
    after: { state: 'CREDITED', report, amount: row.amount, currency: row.currency },
    reason,
  };
  const outcome = await deps.ledger.post({
    reference: `bank:${row.bank_code}:${row.bank_reference}`,
    kind: 'deposit_reported',
    legs: [{ from, to, amountMinor: row.amount }],
    attached: {
      name: 'operator_reported_transfer',
      row: {
        action: actionRow(actor, auditEntry, { at: deps.clock.now(), assignedAfter: assignedAfter(deps) }),
        evidenceId: row.id,
        reportId: report,
      },
    },
    exclusive: [...turnsOf(row), `report ${report}`],
  });
  await requirePosted(refuse, outcome, async () => (await findAmbiguousMatch(deps.pool, row.id))?.state);
  return 'CREDITED';
}

/**
 * Credits the transfer that was just decided to be one of its own, by the rules of all unmatched money: what may be
 * booked already needs a second person. Until then it stays unmatched.
 */
async function assignOwn(
  refuse: Refuse<PostingCode | 'NO_DATA' | 'CLAIMED' | 'NOT_CLAIMED' | 'APPROVAL_PENDING'>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: AmbiguousMatchRow,
  payee: MeantMember,
  reason: string,
): Promise<{ state: string; approval: string | null }> {
  const booked = await findBankTransactionByReference(deps.pool, row.bank_code, row.bank_reference);
  const transaction = await getBankTransactionOrThrow(refuse, deps, String(booked?.id));
  await take(refuse, deps, entityRef('unmatched', transaction.id), actor);
  return assign(refuse, deps, actor, transaction, payee, reason);
}

/** Serves operators the calls for tellings that fit several transfers. */
export function ambiguousMatchCalls(declare: OperatorDeclare, deps: UnmatchedDeps & ExportDeps): void {
  declare(exports.exportAmbiguousMatches, async ({ params, query, actor, reply }) => {
    const wanted = { actor, reply, name: 'doubts', ...params, filters: query };
    return sendExport(deps, wanted, exportAmbiguousMatches(query.sort ?? 'paidAt'));
  });
  declare(reports.listAmbiguousMatches, async ({ query, operator }) => {
    const list = { keys: AMBIGUOUS_KEYS, standard: 'paidAt' };
    const { rows, page } = await summedPage(query, list, (slice, counted) =>
      listAmbiguousMatches(deps.reads, slice, counted),
    );
    return { ambiguousMatches: rows.map((row) => rowView(deps, row, operator)), ...page };
  });
  declare(reports.takeAmbiguousMatch, async ({ params, actor, refuse }) => {
    const row = await getAmbiguousMatchOrThrow(refuse, deps, params.id);
    return take(refuse, deps, entityRef('doubt', row.id), actor);
  });
  declare(reports.decideAmbiguousMatch, async ({ params, body, actor, operator, refuse }) => {
    const row = await getAmbiguousMatchOrThrow(refuse, deps, params.id);
    if (body.transaction !== undefined) {
      if (!row.transactions.some((transaction) => transaction.id === body.transaction))
        throw refuse('ROW_CHANGED', { state: row.state });
      return {
        state: await decide(refuse, deps, actor, row, body.transaction, body.reason),
        approval: null,
      };
    }
    const { report, reason } = body;
    if (report !== undefined)
      return { state: await decideAsReport(refuse, deps, actor, row, { report, reason }), approval: null };
    const member = body.member?.trim();
    const payee = member ? await getPayeeOrThrow(refuse, deps, operator, row, member) : null;
    const state = await decide(refuse, deps, actor, row, null, reason);
    return payee ? assignOwn(refuse, deps, actor, row, payee, reason) : { state, approval: null };
  });
}
