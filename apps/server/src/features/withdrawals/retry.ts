import { withdrawals } from '@krapao/contract/operator';
import { fromMinor, type RefusalsOf } from '@krapao/contract/shared';
import type { Actor } from '../../platform/audit.ts';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId } from '../../platform/ids.ts';
import { addJob } from '../../platform/jobs.ts';
import { maskedAccountNo } from '../../platform/masks.ts';
import type { Refusal, Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../approvals/read.ts';
import { findRefused, type RefusedRow } from './back-queries.ts';
import { retryItem } from './ledger.ts';
import type { RetryDeps } from './operator-deps.ts';
import { findPaidTo, lockWithdrawal } from './operator-queries.ts';
import { needsChecker } from './operator-views.ts';
import { PAYOUT_DECISIONS, payoutResponse } from './payout-decision.ts';
import { findPayout } from './queries.ts';

const stateOf = (row: RefusedRow | undefined): string => (row?.retried_by ? 'RETRIED' : (row?.status ?? ''));
const tooLittle = (refuse: Refuse<'WALLET_SHORT'>, row: RefusedRow): Refusal =>
  refuse('WALLET_SHORT', { there: fromMinor(row.wallet, row.currency) });

/** A withdrawal that the bank has refused, not sent again yet, whose money is still in the wallet. */
async function getRefusedOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED' | 'INACTIVE_USER' | 'WALLET_SHORT'>,
  deps: RetryDeps,
  id: string,
): Promise<RefusedRow> {
  const row = await findRefused(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  if (row.status !== 'FAILED' || row.payout_state !== 'REJECTED' || row.retried_by)
    throw refuse('ROW_CHANGED', { state: stateOf(row) });
  if (row.member_status !== 'ACTIVE') throw refuse('INACTIVE_USER', { member: String(row.member_id) });
  if (row.wallet < row.amount) throw tooLittle(refuse, row);
  return row;
}

/**
 * Queries the bank for the status under our reference. Throws PAYOUT_UNSURE unless the bank has rejected the payout, or has
 * never seen the reference although the grace after the last order is over.
 */
async function requireUnpaid(
  refuse: Refuse<'PAYOUT_UNSURE'>,
  deps: RetryDeps,
  row: RefusedRow,
): Promise<void> {
  // Read before the query: the grace must be over when the bank responds.
  const payout = await findPayout(deps.pool, row.id);
  const response = await deps.payoutBank.payoutState(row.id);
  const kind = payoutResponse(response, row.amount);
  if (kind === 'rejected') return;
  const graceSeconds = deps.settings.get('unknown.absentGraceSeconds');
  if (kind === 'absent' && payout && payout.order_age_seconds >= graceSeconds) return;
  if (PAYOUT_DECISIONS['status after release'][kind] === 'alert')
    await deps.alert(
      'payout-contradicts',
      entityRef('withdrawal', row.id),
      `given back to the wallet before, ${kind} by the bank's word now`,
    );
  const state = kind === 'paid' ? 'PAID' : kind === 'accepted' ? 'ACCEPTED' : 'UNKNOWN';
  throw refuse('PAYOUT_UNSURE', { state });
}

interface Under {
  approvalId: string | null;
  reason: string | null;
  maker?: string;
  /** The id of the account that was agreed to; without one, the account registered now. */
  account?: string | undefined;
}

/**
 * Sends a refused withdrawal once more, as a withdrawal of its own under a new reference, to the account registered
 * now; exactly once for each refused one.
 */
async function sendAgain(
  refuse: Refuse<PostingCode | 'PAYOUT_UNSURE' | 'WALLET_SHORT' | 'BONUS_REMAINING' | 'OPERATOR_LIMIT'>,
  deps: RetryDeps,
  actor: Actor,
  row: RefusedRow,
  under: Under,
): Promise<void> {
  await requireUnpaid(refuse, deps, row);
  // Compared after the bank has responded, which takes seconds.
  if (under.account && under.account !== String((await findPaidTo(deps.pool, row.member_id))?.id))
    throw refuse('ROW_CHANGED', { state: stateOf(row) });
  const now = deps.clock.now();
  const id = newId('WD', now);
  const auditEntry = {
    action: 'withdrawal.resend',
    subject: entityRef('withdrawal', row.id),
    before: { state: row.status },
    after: { state: 'QUEUED', id, amount: row.amount, currency: row.currency, maker: under.maker },
    reason: under.reason,
  };
  const action = actionRow(actor, auditEntry, { at: now, approvalId: under.approvalId });
  const outcome = await deps.ledger.post(retryItem(row, id, action));
  if (outcome.state === 'insufficient')
    throw tooLittle(refuse, (await findRefused(deps.pool, row.id)) ?? row);
  await requirePosted<'BONUS_REMAINING' | 'OPERATOR_LIMIT'>(refuse, outcome, async () =>
    stateOf(await findRefused(deps.pool, row.id)),
  );
}

/** What of refused withdrawals waits for a second person. */
export const retryActions = (deps: RetryDeps): CheckedAction[] => [
  {
    name: 'withdrawal.resend',
    permission: 'approval.money',
    madeWith: ['withdrawal.decide'],
    async carryOut(refuse, request, actor) {
      const { id, account } = request.payload as { id: string; account?: string };
      const row = await getRefusedOrThrow(refuse, deps, id);
      const { id: approvalId, reason, maker } = request;
      // Requests of the release before name no account.
      await sendAgain(refuse, deps, actor, row, { approvalId, reason, maker, account });
      return { state: 'QUEUED' };
    },
  },
];

/** Queries the bank again now about a pending payout. */
const checkAgain = (refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>, deps: RetryDeps, actor: Actor, id: string) =>
  inTransaction(deps.pool, async (tx) => {
    const row = await lockWithdrawal(tx, id);
    if (!row) throw refuse('NO_DATA');
    if (row.status !== 'PROCESSING') throw refuse('ROW_CHANGED', { state: row.status });
    await addJob(tx, 'withdrawals.ask', { id: row.id }, { key: `withdrawals.ask:${row.id}` });
    await writeAudit(
      tx,
      actor,
      { action: 'withdrawal.retry', subject: entityRef('withdrawal', row.id) },
      deps.clock.now(),
    );
    return { state: row.status as string, approval: null };
  });

/** Sends again what the bank refused; above the limit a second person decides. */
async function checkOrSend(
  refuse: Refuse<RefusalsOf<typeof withdrawals.retryWithdrawal>>,
  deps: RetryDeps,
  actor: Actor,
  id: string,
) {
  const row = await getRefusedOrThrow(refuse, deps, id);
  const paidTo = await findPaidTo(deps.pool, row.member_id);
  if (!paidTo) throw refuse('ROW_CHANGED', { state: stateOf(row) });
  if (!needsChecker(deps, row)) {
    const account = String(paidTo.id);
    await sendAgain(refuse, deps, actor, row, { approvalId: null, reason: null, account });
    return { state: 'QUEUED', approval: null };
  }
  await requireUnpaid(refuse, deps, row);
  const accountNo = maskedAccountNo(deps.secrets.decrypt('bank-account', paidTo.account_no_sealed));
  return inTransaction(deps.pool, async (tx) => ({
    state: row.status,
    approval: await requestApproval(refuse, deps, tx, actor, {
      action: 'withdrawal.resend',
      subject: entityRef('withdrawal', row.id),
      payload: { id: row.id, account: String(paidTo.id) },
      summary: {
        id: row.id,
        member: row.member_id,
        name: row.member_name,
        amount: fromMinor(row.amount, row.currency),
        currency: row.currency,
        account: `${paidTo.bank_code} ${accountNo} ${paidTo.account_name}`,
      },
      reason: null,
    }),
  }));
}

/** Retries a payout: queries a pending one, sends a refused one again. */
export function retryCall(declare: OperatorDeclare, deps: RetryDeps): void {
  declare(withdrawals.retryWithdrawal, ({ params, body, actor, refuse }) =>
    body.status === 'FAILED'
      ? checkOrSend(refuse, deps, actor, params.id)
      : checkAgain(refuse, deps, actor, params.id),
  );
}
