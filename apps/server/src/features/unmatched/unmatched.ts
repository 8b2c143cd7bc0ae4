import { exports, money } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf, chosenOf } from '../../platform/http/choices.ts';
import { summedPage } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { limitNumbersNotFound } from '../../platform/http/number-searches.ts';
import { newId } from '../../platform/ids.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../approvals/read.ts';
import {
  assignedAfter,
  assignmentView,
  release,
  requireAssignment,
  takeAssignment,
} from '../assignments/read.ts';
import { bankTransactionUse, nameWords, walletTurn } from '../deposits/read.ts';
import { findById, findByPhoneOrId, listCandidates, type MeantMember } from '../members/read.ts';
import {
  BANK_TRANSACTION_KEYS,
  type BankTransactionFilter,
  type BankTransactionRow,
  exportBankTransactions,
  findBankTransaction,
  listBankTransactions,
  listBookings,
  listNames,
  readState,
} from './queries.ts';

export interface UnmatchedDeps {
  pool: Pool;
  config: Config;
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
  limits: Limits;
}

/** The sender's name as the bank reported it; null when it reported none. */
export function payerName(deps: UnmatchedDeps, row: Pick<BankTransactionRow, 'payer_sealed'>): string | null {
  const { name } = JSON.parse(deps.secrets.decrypt('payer', row.payer_sealed)) as { name?: string };
  return name || null;
}

/** Returns the candidate members of the transactions. */
async function namesOf(
  deps: UnmatchedDeps,
  rows: readonly BankTransactionRow[],
): Promise<Map<bigint, string>> {
  const named = await listNames(deps.pool, [...new Set(rows.flatMap((row) => row.likely_members))]);
  return new Map(named.map(({ id, name }) => [id, name]));
}

function bankTransactionView(
  deps: UnmatchedDeps,
  row: BankTransactionRow,
  names: ReadonlyMap<bigint, string>,
  operator: Operator,
) {
  const assignmentRow =
    row.assignment_operator === null
      ? null
      : {
          operator_id: row.assignment_operator,
          name: row.assignment_name!,
          touched_at: row.assignment_touched!,
        };
  return {
    id: String(row.id),
    bankCode: row.bank_code,
    bankReference: row.bank_reference,
    amount: fromMinor(row.amount, row.currency),
    currency: row.currency,
    payerBank: row.payer_bank,
    payerAccount: row.payer_mask,
    payerName: payerName(deps, row),
    reason: row.reason,
    state: row.state,
    likely:
      row.likely_member_id === null
        ? null
        : { id: String(row.likely_member_id), name: row.likely_name ?? '' },
    candidates: row.likely_members.map((id) => ({ id: String(id), name: names.get(id) ?? '' })),
    paidAt: row.paid_at.toISOString(),
    receivedAt: row.received_at.toISOString(),
    assignment: assignmentView(deps, assignmentRow, operator.id),
    approval: row.approval,
  };
}

/** An unmatched bank transaction by its id. */
export async function getBankTransactionOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  deps: UnmatchedDeps,
  id: string,
): Promise<BankTransactionRow> {
  const row = /^\d{1,18}$/.test(id) ? await findBankTransaction(deps.pool, BigInt(id)) : undefined;
  if (!row) throw refuse('NO_DATA');
  if (row.state !== 'UNMATCHED') throw refuse('ROW_CHANGED', { state: row.state });
  return row;
}

/**
 * The member a transaction may be credited to: of its currency, not closed, and the only one with this phone or id. A
 * number that finds no member counts as a search for one.
 */
export async function getPayeeOrThrow(
  refuse: Refuse<'NO_USER'>,
  deps: UnmatchedDeps,
  operator: Operator,
  transaction: Pick<BankTransactionRow, 'currency'>,
  text: string,
): Promise<MeantMember> {
  const payee = await findByPhoneOrId(deps.pool, text, deps.config.variant);
  if (!payee) await limitNumbersNotFound(deps, operator, [text]);
  if (!payee || payee.status === 'CLOSED' || payee.currency !== transaction.currency) throw refuse('NO_USER');
  return payee;
}

interface BankTransactionEnd {
  payee: MeantMember | null;
  proof: string | null;
  reason: string | null;
  approvalId: string | null;
}

/**
 * Books the end of a transaction exactly once. The reference is the one under which a slip would use the transaction up, so that
 * neither an operator nor a slip can come second.
 */
async function settleBankTransaction(
  refuse: Refuse<PostingCode | 'APPROVAL_PENDING'>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: BankTransactionRow,
  end: BankTransactionEnd,
): Promise<void> {
  const state = end.payee ? 'CREDITED' : 'RETURNED';
  const now = deps.clock.now();
  const auditEntry = {
    action: end.payee ? 'unmatched.assign' : 'unmatched.return',
    subject: entityRef('unmatched', row.id),
    before: { state: row.state },
    after: { state, amount: row.amount, currency: row.currency, member: end.payee?.id, proof: end.proof },
    reason: end.reason,
  };
  const under = {
    at: now,
    approvalId: end.approvalId,
    assignedAfter: end.approvalId ? null : assignedAfter(deps),
  };
  const from = await deps.systemAccount('unmatched', row.currency);
  const source = row.bank_code === 'gift' ? 'gift' : (`bank:${row.bank_code}` as const);
  const to = end.payee?.wallet_account ?? (await deps.systemAccount(source, row.currency));
  const outcome = await deps.ledger.post({
    reference: bankTransactionUse(row),
    kind: end.payee ? 'deposit_assigned' : 'unmatched_returned',
    ...(end.payee ? { memberId: end.payee.id } : {}),
    legs: [{ from, to, amountMinor: row.amount }],
    exclusive: end.payee ? [walletTurn(end.payee.id)] : [],
    attached: {
      name: 'operator_bank_transaction',
      row: {
        action: actionRow(actor, auditEntry, under),
        bankTransactionId: row.id,
        state,
        memberId: end.payee?.id ?? null,
        depositId: end.payee ? newId('DP', now) : null,
      },
    },
  });
  await requirePosted<'APPROVAL_PENDING'>(refuse, outcome, () => readState(deps.pool, row.id));
}

/** What of bank transactions waits for a second person. */
export function unmatchedActions(deps: UnmatchedDeps): CheckedAction[] {
  return [
    {
      name: 'unmatched.assign',
      permission: 'approval.money',
      madeWith: ['unmatched.settle'],
      async carryOut(refuse, request, actor) {
        const { id, member } = request.payload as { id: string; member: string };
        const row = await getBankTransactionOrThrow(refuse, deps, id);
        const payee = await findById(deps.pool, BigInt(member));
        if (!payee || payee.status === 'CLOSED') throw refuse('INACTIVE_USER');
        await settleBankTransaction(refuse, deps, actor, row, {
          payee,
          proof: null,
          reason: request.reason,
          approvalId: request.id,
        });
        return { state: 'CREDITED' };
      },
    },
    {
      name: 'unmatched.return',
      permission: 'approval.money',
      madeWith: ['unmatched.settle'],
      async carryOut(refuse, request, actor) {
        const { id, proof } = request.payload as { id: string; proof: string };
        const row = await getBankTransactionOrThrow(refuse, deps, id);
        await settleBankTransaction(refuse, deps, actor, row, {
          payee: null,
          proof,
          reason: request.reason,
          approvalId: request.id,
        });
        return { state: 'RETURNED' };
      },
    },
  ];
}

interface EndRequest {
  action: 'unmatched.assign' | 'unmatched.return' | 'unmatched.tie';
  payload: object;
  /** What it shows beside the transaction. */
  summary: Record<string, unknown>;
  reason: string;
}

/** Requests the end of a transaction, which its operator no longer has then. */
export const requestEnd = (
  refuse: Refuse<'CLAIMED' | 'NOT_CLAIMED' | 'APPROVAL_PENDING'>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: BankTransactionRow,
  { summary, ...intent }: EndRequest,
): Promise<{ state: string; approval: string | null }> =>
  inTransaction(deps.pool, async (tx) => {
    const subject = entityRef('unmatched', row.id);
    await requireAssignment(refuse, deps, tx, subject, actor);
    const approval = await requestApproval(refuse, deps, tx, actor, {
      ...intent,
      subject,
      summary: {
        bank: row.bank_code,
        reference: row.bank_reference,
        amount: fromMinor(row.amount, row.currency),
        currency: row.currency,
        payer: row.payer_mask,
        ...summary,
      },
    });
    await release(tx, subject, actor);
    return { state: row.state, approval };
  });

/**
 * Credits a transaction that the caller has taken to a member. While its money may be booked already it requests a second
 * approval instead, which names the bookings.
 */
export async function assign(
  refuse: Refuse<PostingCode | 'CLAIMED' | 'NOT_CLAIMED' | 'APPROVAL_PENDING'>,
  deps: UnmatchedDeps,
  actor: Actor,
  row: BankTransactionRow,
  payee: MeantMember,
  reason: string,
): Promise<{ state: string; approval: string | null }> {
  const bookings = await listBookings(deps.pool, row.id, payee.id);
  if (bookings.length > 0)
    return requestEnd(refuse, deps, actor, row, {
      action: 'unmatched.assign',
      payload: { id: String(row.id), member: String(payee.id) },
      summary: { member: payee.id, name: payee.name, credited: bookings.map(({ id }) => id).join(', ') },
      reason,
    });
  await settleBankTransaction(refuse, deps, actor, row, { payee, proof: null, reason, approvalId: null });
  return { state: 'CREDITED', approval: null };
}

function assignmentCalls(declare: OperatorDeclare, deps: UnmatchedDeps): void {
  declare(money.takeUnmatched, async ({ params, actor, refuse }) => {
    const row = await getBankTransactionOrThrow(refuse, deps, params.id);
    return inTransaction(deps.pool, async (tx) => {
      const taken = await takeAssignment(refuse, deps, tx, entityRef('unmatched', row.id), actor);
      await writeAudit(
        tx,
        actor,
        { action: 'unmatched.claim', subject: entityRef('unmatched', row.id) },
        deps.clock.now(),
      );
      return taken;
    });
  });
  declare(money.releaseUnmatched, ({ params, actor }) =>
    inTransaction(deps.pool, async (tx) => {
      const subject = entityRef('unmatched', params.id);
      if (await release(tx, subject, actor))
        await writeAudit(tx, actor, { action: 'unmatched.release', subject }, deps.clock.now());
      return { message: 'OK' };
    }),
  );
}

type ListQuery = Omit<Static<typeof money.listUnmatched.query>, 'page' | 'limit'>;

const filterOf = (query: ListQuery): BankTransactionFilter => ({
  states: chosenOf(query.state, money.BANK_TRANSACTION_STATES) ?? ['UNMATCHED'],
  bank: choicesOf(query.bank),
  text: query.q?.trim() || null,
});

/**
 * Lists who a transaction may be of: those the matching found, else who has an account with the digits the bank prints,
 * else who bears the payer's first name.
 */
async function candidatesOf(deps: UnmatchedDeps, id: string) {
  const row = /^\d{1,18}$/.test(id) ? await findBankTransaction(deps.pool, BigInt(id)) : undefined;
  if (!row) return [];
  const known =
    row.likely_member_id === null ? row.likely_members : [row.likely_member_id, ...row.likely_members];
  if (known.length > 0) return listCandidates(deps, known, null);
  const printed = await listCandidates(deps, [], row.payer_mask);
  const [firstName = ''] = nameWords(payerName(deps, row) ?? '');
  return printed.length > 0 || firstName.length < 3 ? printed : listCandidates(deps, [], firstName);
}

/** Serves operators the calls for bank transactions without an owner. */
export function unmatchedCalls(declare: OperatorDeclare, deps: UnmatchedDeps & ExportDeps): void {
  declare(exports.exportUnmatched, async ({ params, query, actor, reply }) => {
    const source = exportBankTransactions(filterOf(query), query.sort ?? 'receivedAt');
    return sendExport(deps, { actor, reply, name: 'unmatched', ...params, filters: query }, source);
  });
  declare(money.listUnmatched, async ({ query, operator }) => {
    const filter = filterOf(query);
    const list = { keys: BANK_TRANSACTION_KEYS, standard: 'receivedAt' };
    const { rows, page } = await summedPage(query, list, (slice, counted) =>
      listBankTransactions(deps.reads, filter, slice, counted),
    );
    const names = await namesOf(deps, rows);
    return {
      transactions: rows.map((row) => bankTransactionView(deps, row, names, operator)),
      ...page,
    };
  });
  assignmentCalls(declare, deps);
  declare(money.listCandidates, async ({ query }) => {
    const text = query.q?.trim();
    if (text) return { candidates: await listCandidates(deps, [], text) };
    return { candidates: query.transaction ? await candidatesOf(deps, query.transaction) : [] };
  });
  declare(money.assignUnmatched, async ({ params, body, actor, operator, refuse }) => {
    const row = await getBankTransactionOrThrow(refuse, deps, params.id);
    const payee = await getPayeeOrThrow(refuse, deps, operator, row, body.member.trim());
    return assign(refuse, deps, actor, row, payee, body.reason);
  });
  declare(money.returnUnmatched, async ({ params, body, actor, refuse }) => {
    const row = await getBankTransactionOrThrow(refuse, deps, params.id);
    const { proof, reason } = body;
    if (!deps.settings.get('desk.makerChecker')) {
      await settleBankTransaction(refuse, deps, actor, row, { payee: null, proof, reason, approvalId: null });
      return { state: 'RETURNED', approval: null };
    }
    return requestEnd(refuse, deps, actor, row, {
      action: 'unmatched.return',
      payload: { id: String(row.id), proof },
      summary: { proof },
      reason,
    });
  });
}
