import { coupons as contract } from '@krapao/contract/operator';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  type CheckedAction,
  decideOrRequest,
  mostAlone,
  recordSmallAction,
  takeApproval,
} from '../approvals/read.ts';
import type { GiveDeps } from './give.ts';
import { countOpen, findPrize, listHolders, type PrizeColumns, setWithdrawn } from './prize-queries.ts';
import { summaryOf, unitOf } from './prizes.ts';

const RESTORE = 'prize.restore';

const stateOf = (isWithdrawn: boolean) => (isWithdrawn ? 'WITHDRAWN' : 'OPEN');

interface Change {
  isWithdrawn: boolean;
  reason: string | null;
  maker?: string;
}

async function change(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: GiveDeps,
  tx: PoolClient,
  actor: Actor,
  prize: PrizeColumns & { id: bigint },
  { isWithdrawn, reason, maker }: Change,
): Promise<string> {
  const now = deps.clock.now();
  if (!(await setWithdrawn(tx, prize.id, isWithdrawn ? now : null)))
    throw refuse('ROW_CHANGED', { state: stateOf(isWithdrawn) });
  const auditEntry = {
    action: isWithdrawn ? 'prize.withdraw' : RESTORE,
    subject: entityRef('prize', prize.id),
    before: { prize: prize.name },
    ...(maker === undefined ? {} : { after: { maker } }),
  };
  await writeAudit(tx, actor, { ...auditEntry, reason }, now);
  return stateOf(isWithdrawn);
}

/** What of prizes waits for a second person. */
export const prizeActions = (deps: GiveDeps): CheckedAction[] => [
  {
    name: RESTORE,
    permission: 'approval.money',
    madeWith: ['promotion.manage'],
    carryOut: (refuse, request, actor) =>
      inTransaction(deps.pool, async (tx) => {
        await takeApproval(refuse, tx, request.id, actor, deps.clock.now());
        const prize = await findPrize(tx, (request.payload as { prize: string }).prize);
        if (!prize) throw refuse('NO_DATA');
        const { reason, maker } = request;
        return { state: await change(refuse, deps, tx, actor, prize, { isWithdrawn: false, reason, maker }) };
      }),
  },
];

/**
 * Whether one operator may restore a prize: what its open coupons are worth counts as coupons that the operator gives, so
 * that prizes restored one by one add up. A member counts as holding as many of them as the member who holds most.
 */
async function mayRestoreAlone(
  deps: GiveDeps,
  tx: PoolClient,
  actor: Actor,
  prize: PrizeColumns & { id: bigint },
  open: number,
): Promise<boolean> {
  const unit = unitOf(prize);
  if (prize.value * BigInt(open) > mostAlone(deps.settings, unit)) return false;
  const now = deps.clock.now();
  const holders = await listHolders(tx, prize.id, now);
  return recordSmallAction(deps, tx, {
    operatorId: actor.id,
    reference: `restore:${prize.id}:${now.toISOString()}`,
    direction: 'credit',
    unit,
    amount: prize.value * BigInt(Math.max(0, ...holders.map((holder) => holder.open))),
    members: holders.map((holder) => holder.member_id),
    isBatch: true,
  });
}

/**
 * Answers the withdrawing of a prize, whose open coupons can then not be redeemed, and its restoring, which a second
 * person decides when these coupons, with what the operator has given alone within a day, are worth more than the limit of
 * manual entries.
 */
export function withdrawPrizeCall(declare: OperatorDeclare, deps: GiveDeps): void {
  declare(contract.withdrawPrize, ({ params, body, actor, refuse }) =>
    inTransaction(deps.pool, async (tx) => {
      const prize = await findPrize(tx, params.id);
      if (!prize) throw refuse('NO_DATA');
      if (prize.is_withdrawn === body.isWithdrawn)
        throw refuse('ROW_CHANGED', { state: stateOf(body.isWithdrawn) });
      const open = body.isWithdrawn ? 0 : await countOpen(tx, prize.id, deps.clock.now());
      return decideOrRequest(refuse, deps, tx, actor, {
        action: RESTORE,
        subject: entityRef('prize', prize.id),
        payload: { prize: params.id },
        summary: summaryOf(prize, open),
        reason: body.reason,
        needsChecker: !body.isWithdrawn && !(await mayRestoreAlone(deps, tx, actor, prize, open)),
        state: stateOf(true),
        perform: () => change(refuse, deps, tx, actor, prize, body),
      });
    }),
  );
}
