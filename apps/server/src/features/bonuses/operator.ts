import { HOUR_MS } from '@krapao/contract/durations';
import { members } from '@krapao/contract/operator';
import { fromMinor, type RefusalsOf } from '@krapao/contract/shared';
import type { Actor } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal, type Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type ApprovalRow,
  actionRow,
  type CheckedAction,
  recordSmallAction,
  requestApproval,
  requireWithinLimit,
} from '../approvals/read.ts';
import { type BonusDeps, holderOf } from './deps.ts';
import { endRun, over } from './end.ts';
import type { RunEnd } from './ledger.ts';
import { findActiveRun, type RunRow } from './queries.ts';

const KEEP = 'bonus.keep';

interface Order {
  member: string;
  run: string;
  outcome: 'forfeit' | 'keep';
  figures: 'fresh' | 'known';
}

/** What a second person approves: no more than this may be left, in minor units. */
type Requested = Order & { leftMinor: string };

/** A request that a second person has approved. */
type Approved = Pick<ApprovalRow, 'id' | 'maker'> & { mostMinor: bigint };

/** Thrown before the end of a run that leaves the member more than one operator may give alone. */
class CheckerNeeded extends Error {
  readonly run: RunRow;
  readonly leftMinor: bigint;
  constructor(run: RunRow, leftMinor: bigint) {
    super('a second person decides');
    this.run = run;
    this.leftMinor = leftMinor;
  }
}

/**
 * What an operator's end leaves the member above their own deposit, in minor units: what giving up would take. A forfeit
 * by fresh figures leaves at most parts of a credit that games do not move, and that is not the operator's decision.
 */
const leftOf = (
  run: RunRow,
  end: RunEnd,
  { outcome, figures }: Pick<Order, 'outcome' | 'figures'>,
): bigint =>
  outcome === 'forfeit' && figures === 'fresh' ? 0n : over(run.standing - end.takenMinor, run.qualifying);

/** Whether a provider has blocked the end of the run for so long that an operator may end it without it. */
function isStuck({ clock, settings }: BonusDeps, { stuck_since }: RunRow): boolean {
  const longMs = settings.get('bonus.stuckHours') * HOUR_MS;
  return stuck_since !== null && clock.now().getTime() - stuck_since.getTime() >= longMs;
}

/**
 * Counts what an operator leaves a member as a manual credit of as much: against the limits of the operator, and without
 * a second person up to `desk.entryMax`. Throws OPERATOR_LIMIT or CheckerNeeded.
 */
async function requireMayLeave(
  refuse: Refuse<'OPERATOR_LIMIT'>,
  deps: BonusDeps,
  actor: Actor,
  run: RunRow,
  { leftMinor: amount, approved }: { leftMinor: bigint; approved: Approved | null },
): Promise<void> {
  if (amount === 0n) return;
  const { currency } = run;
  const reference = `bonus:${run.id}`;
  await inTransaction(deps.pool, async (tx) => {
    const mayEnd = approved
      ? amount <= approved.mostMinor
      : await recordSmallAction(deps, tx, {
          operatorId: actor.id,
          reference,
          direction: 'credit',
          unit: currency,
          amount,
          members: [run.member_id],
          isBatch: false,
        });
    if (!mayEnd) throw new CheckerNeeded(run, amount);
    await requireWithinLimit(refuse, deps, tx, actor, {
      kind: 'credit',
      currency,
      amount,
      reference: `${reference}:${amount}`,
    });
  });
}

/** Throws ROW_CHANGED when another run has begun since the one that is to end. */
function requireSame(refuse: Refuse<'ROW_CHANGED'>, active: RunRow, { run }: Order): void {
  if (active.id !== run) throw refuse('ROW_CHANGED', { state: 'ENDED' });
}

/** Ends the run; by the last known figures only when those were requested and a provider has been silent for long. */
async function endByOperator(
  refuse: Refuse<RefusalsOf<typeof members.endRun>>,
  deps: BonusDeps,
  actor: Actor,
  { run, order, reason }: { run: RunRow; order: Order; reason: string | null },
  approved: Approved | null,
): Promise<RunEnd> {
  const endBy = (figures: Order['figures']) =>
    endRun(refuse, deps, holderOf(run), {
      by: 'operator',
      to: order.outcome,
      known: figures === 'known',
      beforeEnd(read, end) {
        requireSame(refuse, read, order);
        const leftMinor = leftOf(read, end, { outcome: order.outcome, figures });
        return requireMayLeave(refuse, deps, actor, read, { leftMinor, approved });
      },
      actionOf({ id, label, standing, currency }, { state, takenMinor }) {
        const auditEntry = {
          action: 'bonus.end',
          subject: entityRef('member', run.member_id),
          before: { run: id, bonus: label, standing, currency },
          after: { state, taken: takenMinor, figures, currency, maker: approved?.maker },
          reason,
        };
        return actionRow(actor, auditEntry, { at: deps.clock.now(), approvalId: approved?.id ?? null });
      },
    });
  return endBy('fresh').catch((error: unknown) => {
    const isSilent = error instanceof Refusal && error.code === 'PROVIDER_UNAVAILABLE';
    if (!isSilent || order.figures !== 'known' || !isStuck(deps, run)) throw error;
    return endBy('known');
  });
}

/** Requests a second approval of a run's end that leaves the member this much. */
const requestKeep = (
  refuse: Refuse<'APPROVAL_PENDING'>,
  deps: BonusDeps,
  actor: Actor,
  order: Order & { reason: string },
  { run, leftMinor }: CheckerNeeded,
): Promise<string> =>
  inTransaction(deps.pool, async (tx) => {
    const { reason, ...rest } = order;
    const payload: Requested = { ...rest, leftMinor: String(leftMinor) };
    return requestApproval(refuse, deps, tx, actor, {
      action: KEEP,
      subject: entityRef('member', run.member_id),
      payload,
      summary: {
        member: run.member_id,
        bonus: run.label,
        run: run.id,
        figures: order.figures,
        amount: fromMinor(leftMinor, run.currency),
        currency: run.currency,
      },
      reason,
    });
  });

/** What of bonus runs waits for a second person. */
export const runActions = (deps: BonusDeps): CheckedAction[] => [
  {
    name: KEEP,
    permission: 'approval.money',
    madeWith: ['entry.make'],
    async carryOut(refuse, request, actor) {
      const order = request.payload as Requested;
      const run = await findActiveRun(deps.pool, BigInt(order.member));
      if (!run) throw refuse('ROW_CHANGED', { state: 'ENDED' });
      requireSame(refuse, run, order);
      const { id, maker, reason } = request;
      const approved = { id, maker, mostMinor: BigInt(order.leftMinor) };
      try {
        return { state: (await endByOperator(refuse, deps, actor, { run, order, reason }, approved)).state };
      } catch (error) {
        // The member has won more since: the maker requests it again, with the new amount.
        if (error instanceof CheckerNeeded) throw refuse('ROW_CHANGED', { state: 'ACTIVE' });
        throw error;
      }
    },
  },
];

/** Answers the end of a run by an operator. */
export function endRunCall(declare: OperatorDeclare, deps: BonusDeps): void {
  declare(members.endRun, async ({ params, body, actor, refuse }) => {
    const run = /^\d{1,18}$/.test(params.id) && (await findActiveRun(deps.pool, BigInt(params.id)));
    if (!run) throw refuse('NO_DATA');
    const { reason, ...how } = body;
    const order = { member: params.id, ...how };
    requireSame(refuse, run, order);
    try {
      const end = await endByOperator(refuse, deps, actor, { run, order, reason }, null);
      return { state: end.state, taken: fromMinor(end.takenMinor, run.currency), approval: null };
    } catch (error) {
      if (!(error instanceof CheckerNeeded)) throw error;
      const approval = await requestKeep(refuse, deps, actor, { ...order, reason }, error);
      return { state: 'ACTIVE' as const, taken: 0, approval };
    }
  });
}
