import type { LocalizedText } from '@krapao/contract/shared';
import type { AuditEntry } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool, PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { forEachRow } from '../../platform/for-each.ts';
import { addJob, type JobSet } from '../../platform/jobs.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { lockAsSeen, lockForApproval, requireNotPaidManually } from './approve.ts';
import {
  deleteDecision,
  insertDecision,
  listDue,
  moveTo,
  type NewDecision,
  takeDecision,
} from './decision-queries.ts';
import { findWithdrawal, type WithdrawalRow } from './queries.ts';
import { settleWithdrawal } from './settle.ts';

type SettleDeps = Parameters<typeof settleWithdrawal>[0];

/** The dependencies of carrying out a decision. */
export type DecisionDeps = SettleDeps & { pool: Pool; clock: Clock };

/** Who decides, and for how long they can undo it; 0 for the command line. */
export interface Decider extends Pick<NewDecision, 'actor' | 'operatorId' | 'undoSeconds'> {
  /** Writes the audit row under the decider's name. */
  audit: (action: Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>) => Promise<void>;
}

/** Records a decision and the job that carries it out, in the caller's transaction. */
async function record(
  deps: { clock: Clock },
  tx: PoolClient,
  id: string,
  { audit: _, ...by }: Decider,
  decision: Pick<NewDecision, 'kind' | 'seen' | 'reason' | 'notice' | 'approvalId'>,
): Promise<'REVIEW'> {
  await insertDecision(tx, id, { ...by, ...decision }, deps.clock.now());
  const when = { key: `withdrawals.decided:${id}`, inMs: by.undoSeconds * 1_000 };
  await addJob(tx, 'withdrawals.decided', { id }, when);
  return 'REVIEW';
}

/**
 * Decides that a withdrawal is paid, with audit row, in the caller's transaction. Console, approval requests and
 * command line all approve by this; afterwards they call {@link concludeDecision}.
 */
export async function approveWithdrawal(
  refuse: Parameters<typeof lockForApproval>[0],
  deps: { clock: Clock },
  tx: PoolClient,
  id: string,
  by: Decider,
  { reason, approvalId }: Pick<NewDecision, 'reason' | 'approvalId'>,
): Promise<'REVIEW'> {
  await lockForApproval(refuse, tx, id);
  await by.audit({
    action: 'withdrawal.approve',
    subject: entityRef('withdrawal', id),
    before: { status: 'REVIEW' },
    after: { status: 'QUEUED' },
  });
  return record(deps, tx, id, by, { kind: 'APPROVE', seen: 'REVIEW', reason, notice: null, approvalId });
}

/**
 * Decides that a withdrawal's money goes back to the wallet, with audit row, in the caller's transaction; afterwards
 * callers call {@link concludeDecision}. A withdrawal with a payout order can no longer be refused.
 * @param notice what the member reads; null: nothing
 */
export async function rejectWithdrawal(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED' | 'APPROVAL_PENDING'>,
  deps: { clock: Clock },
  tx: PoolClient,
  id: string,
  by: Decider,
  { seen, reason, notice }: { seen: WithdrawalRow['status']; reason: string; notice: LocalizedText | null },
): Promise<'REVIEW'> {
  const row = await lockAsSeen(refuse, tx, id, seen);
  if (seen !== 'REVIEW' && seen !== 'QUEUED') throw refuse('ROW_CHANGED', { state: row.status });
  await requireNotPaidManually(refuse, tx, id);
  await by.audit({
    action: 'withdrawal.reject',
    subject: entityRef('withdrawal', id),
    before: { status: seen },
    after: { status: 'FAILED', amount: row.amount, currency: row.currency },
  });
  return record(deps, tx, id, by, { kind: 'REJECT', seen, reason, notice, approvalId: null });
}

/**
 * Carries out a decision that is due: queues the withdrawal for payout, or gives its money back. A repeat, or a decision
 * that was undone, changes nothing. Returns the withdrawal's status then.
 */
async function carryOut(deps: DecisionDeps, id: string): Promise<string> {
  const decision = await inTransaction(deps.pool, async (tx) => {
    const taken = await takeDecision(tx, id);
    if (taken?.kind === 'APPROVE') {
      await moveTo(tx, id, 'QUEUED', deps.clock.now());
      await deleteDecision(tx, id);
      await addJob(tx, 'withdrawals.pay', {}, { key: 'withdrawals.pay' });
    }
    return taken;
  });
  const row = await findWithdrawal(deps.pool, id);
  if (!row || decision?.kind !== 'REJECT') return row?.status ?? '';
  const by = { actor: decision.actor, payoutState: null };
  const outcome = await settleWithdrawal(deps, row, 'released', by, decision.reason);
  if (outcome.state === 'posted') return 'FAILED';
  // A server of the release before, which has no recorded decisions, may have decided otherwise.
  const now = (await findWithdrawal(deps.pool, id))!.status;
  if (now !== 'REVIEW') await deleteDecision(deps.pool, id);
  return now;
}

/** Carries a committed decision out where it cannot be undone; else returns for how long it can. */
export async function concludeDecision(
  deps: DecisionDeps,
  id: string,
  undoSeconds: number,
): Promise<{ state: string; undoSeconds?: number }> {
  if (undoSeconds > 0) return { state: 'REVIEW', undoSeconds };
  return { state: await carryOut(deps, id) };
}

/** Jobs that carry decisions out; the second finds those whose own job was lost. */
export const decisionJobs = (deps: DecisionDeps): JobSet => ({
  tasks: {
    'withdrawals.decided': async (payload) => {
      await carryOut(deps, (payload as { id: string }).id);
    },
    'withdrawals.due': async () => {
      await forEachRow(await listDue(deps.pool), (id) => carryOut(deps, id));
    },
  },
  everyMinute: ['withdrawals.due'],
});
