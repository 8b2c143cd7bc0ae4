import { MINUTE_MS } from '@krapao/contract/durations';
import { ASSIGNMENT_FILTERS, exports, RISK_OUTCOMES, withdrawals } from '@krapao/contract/operator';
import { type LocalizedText, localized } from '@krapao/contract/shared';
import type { FastifyBaseLogger } from 'fastify';
import type { Static } from 'typebox';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { eachRow } from '../../platform/each-row.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { choicesOf, chosenOf } from '../../platform/http/choices.ts';
import { boundedTotals, countedOf, type PagingName, pageOf, sliceOf } from '../../platform/http/cursor.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { type ExportDeps, sendExport } from '../../platform/http/export-file.ts';
import { memberIdOf, timesOf } from '../../platform/http/list.ts';
import { type SearchDeps, searchOf } from '../../platform/member-search.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type CheckedAction, decideOrRequest, requireWithinLimit, takeApproval } from '../approvals/read.ts';
import { assignedAfter, ensureAssignment, release, requireAssignment } from '../assignments/read.ts';
import { lockForApproval } from './approve.ts';
import { assignmentCalls } from './assignment.ts';
import { findReason } from './decision-queries.ts';
import { approveWithdrawal, concludeDecision, type Decider, rejectWithdrawal } from './decisions.ts';
import type { OperatorDeps, RetryDeps } from './operator-deps.ts';
import {
  exportForOperators,
  findForOperators,
  listForOperators,
  listPaidBanks,
  type OperatorFilter,
  WITHDRAWAL_KEYS,
} from './operator-queries.ts';
import { detailView, needsChecker, rowView, summaryOf } from './operator-views.ts';
import type { WithdrawalRow } from './queries.ts';
import { rejectionReasonCalls } from './rejection-reasons.ts';
import { retryActions, retryCall } from './retry.ts';
import { returnActions, returnCall } from './return.ts';
import { manualActions, manualCall } from './settled-manually.ts';
import { undoCall } from './undo.ts';

const OPEN = ['REVIEW', 'QUEUED', 'PROCESSING'] as const;

type Status = WithdrawalRow['status'];

/** An operator as the decider. */
const deciderOf = (
  deps: OperatorDeps,
  tx: PoolClient,
  actor: Actor,
  { reason, undoSeconds }: { reason: string | null; undoSeconds: number },
): Decider => ({
  actor: actorName(actor),
  operatorId: actor.id,
  undoSeconds,
  audit: (action) => writeAudit(tx, actor, { ...action, reason }, deps.clock.now()),
});

/** What the approval of a withdrawal counts for against the operator's limits. */
const payoutOf = (row: Pick<WithdrawalRow, 'id' | 'currency' | 'amount'>) => ({
  kind: 'pay' as const,
  currency: row.currency,
  amount: row.amount,
  reference: entityRef('withdrawal', row.id),
});

/** Approves a withdrawal; above `desk.withdrawalMax` it requests a second approval instead of paying. */
async function approveOne(
  refuse: Refuse<
    | 'ROW_CHANGED'
    | 'NO_DATA'
    | 'INACTIVE_USER'
    | 'APPROVAL_PENDING'
    | 'NOT_CLAIMED'
    | 'CLAIMED'
    | 'OPERATOR_LIMIT'
  >,
  deps: OperatorDeps,
  actor: Actor,
  id: string,
  seen: Status,
  reason: string | null,
) {
  const undoSeconds = deps.settings.get('desk.undoSeconds');
  const result = await inTransaction(deps.pool, async (tx) => {
    const row = await lockForApproval(refuse, tx, id, seen);
    await requireAssignment(refuse, deps, tx, entityRef('withdrawal', id), actor);
    const result = await decideOrRequest(refuse, deps, tx, actor, {
      action: 'withdrawal.approve',
      subject: entityRef('withdrawal', id),
      payload: { id },
      summary: summaryOf(row),
      reason,
      needsChecker: needsChecker(deps, row),
      state: row.status,
      perform: async () => {
        await requireWithinLimit(refuse, deps, tx, actor, payoutOf(row));
        const by = deciderOf(deps, tx, actor, { reason, undoSeconds });
        return approveWithdrawal(refuse, deps, tx, id, by, { reason, approvalId: null });
      },
    });
    await release(tx, entityRef('withdrawal', id), actor);
    return result;
  });
  if (result.approval) return result;
  return { ...(await concludeDecision(deps, id, undoSeconds)), approval: null };
}

interface Rejection {
  seen: Status;
  reason: string;
  notice: LocalizedText;
}

/** Rejects a withdrawal that the caller has taken. */
async function rejectOne(
  refuse: Refuse<'ROW_CHANGED' | 'NO_DATA' | 'APPROVAL_PENDING' | 'NOT_CLAIMED' | 'CLAIMED'>,
  deps: OperatorDeps,
  actor: Actor,
  id: string,
  rejection: Rejection,
) {
  const undoSeconds = deps.settings.get('desk.undoSeconds');
  await inTransaction(deps.pool, async (tx) => {
    const by = deciderOf(deps, tx, actor, { reason: rejection.reason, undoSeconds });
    await rejectWithdrawal(refuse, deps, tx, id, by, rejection);
    await requireAssignment(refuse, deps, tx, entityRef('withdrawal', id), actor);
    await release(tx, entityRef('withdrawal', id), actor);
  });
  return { ...(await concludeDecision(deps, id, undoSeconds)), approval: null };
}

/** What the rejected member reads: the prepared reason, or the operator's own words. Throws NO_DATA without the former. */
async function noticeOf(
  refuse: Refuse<'NO_DATA'>,
  deps: OperatorDeps,
  { reason, reasonCode }: { reason: string; reasonCode?: string },
): Promise<LocalizedText> {
  if (reasonCode === undefined) return localized(() => reason);
  const notice = await findReason(deps.pool, reasonCode);
  if (!notice) throw refuse('NO_DATA');
  return notice;
}

/** What of withdrawals waits for a second person. */
export function withdrawalActions(deps: RetryDeps): CheckedAction[] {
  return [
    ...retryActions(deps),
    ...returnActions(deps),
    ...manualActions(deps),
    {
      name: 'withdrawal.approve',
      permission: 'approval.money',
      madeWith: ['withdrawal.decide'],
      async carryOut(refuse, request, actor) {
        const { id } = request.payload as { id: string };
        const { id: approvalId, maker, reason } = request;
        const undoSeconds = deps.settings.get('desk.undoSeconds');
        await inTransaction(deps.pool, async (tx) => {
          const row = await lockForApproval(refuse, tx, id);
          await requireWithinLimit(refuse, deps, tx, actor, payoutOf(row));
          await takeApproval(refuse, tx, approvalId, actor, deps.clock.now());
          const decider = deciderOf(deps, tx, actor, { reason, undoSeconds });
          const by: Decider = {
            ...decider,
            audit: (action) =>
              decider.audit({
                ...action,
                after: { ...(action.after as object), approval: approvalId, maker },
              }),
          };
          await approveWithdrawal(refuse, deps, tx, id, by, { reason, approvalId });
        });
        return concludeDecision(deps, id, undoSeconds);
      },
    },
  ];
}

type ListQuery = Omit<NonNullable<Static<typeof withdrawals.listWithdrawals.query>>, PagingName>;

const SCORE_MAX = 100;

/** The scores of which the thresholds in force make these outcomes: a range, perhaps without the range of `review`. */
function scoresOf(
  deps: OperatorDeps,
  risk: ListQuery['risk'],
): Pick<OperatorFilter, 'scoreMin' | 'scoreMax' | 'withoutScores'> {
  const held = deps.settings.get('risk.holdScore');
  const review = Math.min(held, deps.settings.get('risk.reviewScore'));
  const ranges = {
    pass: { min: 0, max: review - 1 },
    review: { min: review, max: held - 1 },
    held: { min: held, max: SCORE_MAX },
  };
  const wanted = chosenOf(risk, RISK_OUTCOMES) ?? RISK_OUTCOMES;
  const [first, last] = [wanted[0], wanted.at(-1)];
  // What was wanted and left out alike: no score is in this range.
  if (!first || !last) return { scoreMin: SCORE_MAX, scoreMax: 0, withoutScores: null };
  const isSplit = first === 'pass' && last === 'held' && wanted.length === 2;
  return {
    scoreMin: ranges[first].min,
    scoreMax: ranges[last].max,
    withoutScores: isSplit ? ranges.review : null,
  };
}

function filterOf(deps: OperatorDeps & SearchDeps, query: ListQuery, operator: Operator): OperatorFilter {
  return {
    ...timesOf(query),
    status: choicesOf(query.status, { OPEN }),
    bank: choicesOf(query.bank),
    assigned: chosenOf(query.assigned, ASSIGNMENT_FILTERS),
    assignee: query.assignee || null,
    operatorId: operator.id,
    assignedAfter: assignedAfter(deps),
    amountMin: query.amountMin ?? null,
    amountMax: query.amountMax ?? null,
    memberId: memberIdOf(query.member),
    ...searchOf(deps, query.q),
    ...scoresOf(deps, query.risk),
    madeBefore: query.olderMinutes
      ? new Date(deps.clock.now().getTime() - query.olderMinutes * MINUTE_MS)
      : null,
    ...paidTimesOf(query),
  };
}

function paidTimesOf({ paidFrom, paidTo }: ListQuery) {
  const { from, to } = timesOf({ ...(paidFrom && { from: paidFrom }), ...(paidTo && { to: paidTo }) });
  return { paidFrom: from, paidTo: to };
}

function queueCalls(declare: OperatorDeclare, deps: OperatorDeps & ExportDeps & SearchDeps): void {
  const { pool, reads } = deps;
  declare(exports.exportWithdrawals, async ({ params, query, operator, actor, reply }) => {
    const source = exportForOperators(filterOf(deps, query, operator), query.sort ?? 'createdAt');
    return sendExport(deps, { actor, reply, name: 'withdrawals', ...params, filters: query }, source);
  });
  declare(withdrawals.listWithdrawals, async ({ query, operator }) => {
    const filter = filterOf(deps, query, operator);
    const counted = countedOf(query);
    const slice = sliceOf(query, WITHDRAWAL_KEYS, 'createdAt');
    const { rows: found, sums } = await listForOperators(reads, filter, slice, counted);
    const { rows, turns } = pageOf(found, slice);
    return {
      withdrawals: rows.map((row) => rowView(deps, row, operator)),
      ...boundedTotals(sums, counted),
      ...turns,
    };
  });
  declare(withdrawals.listBanks, async () => ({
    banks: (await listPaidBanks(reads)).map(({ code, name_local: bankName, name_en: bankNameEn }) => ({
      code,
      bankName,
      bankNameEn,
    })),
  }));
  declare(withdrawals.readWithdrawal, async ({ params, operator, refuse }) => {
    const row = await findForOperators(pool, params.id);
    if (!row) throw refuse('NO_DATA');
    return detailView(deps, row, operator);
  });
  assignmentCalls(declare, deps);
}

/**
 * Takes each row, decides it and reports; what another has taken stays theirs, and so does a refused row that the caller
 * had taken before.
 */
function decideMany(
  deps: OperatorDeps,
  log: FastifyBaseLogger,
  actor: Actor,
  ids: readonly string[],
  decide: (id: string) => ReturnType<typeof approveOne>,
) {
  return eachRow(log, ids, async (id) => {
    const subject = entityRef('withdrawal', id);
    const isNew = await ensureAssignment(refuseAny, deps, deps.pool, subject, actor);
    try {
      return await decide(id);
    } catch (error) {
      if (isNew) await release(deps.pool, subject, actor);
      throw error;
    }
  });
}

function decisionCalls(declare: OperatorDeclare, deps: OperatorDeps): void {
  declare(withdrawals.approveWithdrawal, ({ params, body, actor, refuse }) =>
    approveOne(refuse, deps, actor, params.id, body.status, body.reason || null),
  );
  declare(withdrawals.approveWithdrawals, async ({ body, actor, request }) => ({
    results: await decideMany(deps, request.log, actor, body.ids, (id) =>
      approveOne(refuseAny, deps, actor, id, 'REVIEW', body.reason || null),
    ),
  }));
  declare(withdrawals.rejectWithdrawal, async ({ params, body, actor, refuse }) => {
    const notice = await noticeOf(refuse, deps, body);
    const rejection = { seen: body.status, reason: body.reason, notice };
    return rejectOne(refuse, deps, actor, params.id, rejection);
  });
  declare(withdrawals.rejectWithdrawals, async ({ body, actor, refuse, request }) => {
    const notice = await noticeOf(refuse, deps, body);
    const rejection = { seen: 'REVIEW' as const, reason: body.reason, notice };
    const decide = (id: string) => rejectOne(refuseAny, deps, actor, id, rejection);
    return { results: await decideMany(deps, request.log, actor, body.ids, decide) };
  });
  undoCall(declare, deps);
  rejectionReasonCalls(declare, deps);
}

/** Answers the operators' queue of withdrawals. */
export function withdrawalOperatorCalls(
  declare: OperatorDeclare,
  deps: RetryDeps & ExportDeps & SearchDeps,
): void {
  queueCalls(declare, deps);
  decisionCalls(declare, deps);
  manualCall(declare, deps);
  retryCall(declare, deps);
  returnCall(declare, deps);
}
