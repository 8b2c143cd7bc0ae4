import { coupons as contract } from '@krapao/contract/operator';
import type { Actor } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId } from '../../platform/ids.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  recordSmallAction,
  requestApproval,
  requirePosted,
} from '../approvals/read.ts';
import type { CoinDeps } from './coins.ts';
import { operatorGrantItem } from './ledger.ts';
import { findGrant, findHolder } from './queries.ts';

interface CoinOperatorDeps extends CoinDeps {
  clock: Clock;
}

const ACTION = 'coins.grant';

interface Payload {
  member: string;
  coins: number;
  key: string;
  makerId: string;
}

async function getHolderOrThrow(refuse: Refuse<'NO_DATA'>, deps: CoinOperatorDeps, id: string) {
  const holder = /^\d{1,18}$/.test(id) ? await findHolder(deps.pool, BigInt(id)) : undefined;
  if (!holder) throw refuse('NO_DATA');
  return holder;
}

/** Whether the same was given under this key before; throws IDEMPOTENCY_CONFLICT when it was something else. */
async function repeated(
  refuse: Refuse<'IDEMPOTENCY_CONFLICT'>,
  deps: CoinOperatorDeps,
  { member, coins, key, makerId }: Payload,
): Promise<boolean> {
  const before = await findGrant(deps.pool, BigInt(makerId), key);
  if (!before) return false;
  if (String(before.member_id) !== member || before.coins !== BigInt(coins))
    throw refuse('IDEMPOTENCY_CONFLICT');
  return true;
}

/** Gives the coins with their audit row, once by the maker's key. */
async function give(
  refuse: Refuse<PostingCode | 'APPROVAL_LAPSED' | 'NO_DATA' | 'IDEMPOTENCY_CONFLICT'>,
  deps: CoinOperatorDeps,
  actor: Actor,
  payload: Payload,
  under: { reason: string; request: { id: string; maker: string } | null },
): Promise<void> {
  const { reason, request } = under;
  const holder = await getHolderOrThrow(refuse, deps, payload.member);
  const now = deps.clock.now();
  const id = newId('MN', now);
  const auditEntry = {
    action: ACTION,
    subject: entityRef('member', holder.id),
    before: { coins: holder.coins },
    after: { id, coins: payload.coins, maker: request?.maker },
    reason,
  };
  const grant = {
    id,
    member: holder,
    issue: await deps.systemAccount('coin_issue', 'COIN'),
    coins: BigInt(payload.coins),
  };
  const outcome = await deps.ledger.post(
    operatorGrantItem(grant, {
      makerId: payload.makerId,
      key: payload.key,
      action: actionRow(actor, auditEntry, { at: now, approvalId: request?.id ?? null }),
    }),
  );
  if (outcome.state === 'repeated') {
    if (request) throw refuse('APPROVAL_LAPSED');
    if (await repeated(refuse, deps, payload)) return;
  }
  await requirePosted(refuse, outcome, async () => undefined);
}

/** Many coins are given by two. */
export const coinActions = (deps: CoinOperatorDeps): CheckedAction[] => [
  {
    name: ACTION,
    permission: 'approval.money',
    madeWith: ['entry.make'],
    async carryOut(refuse, request, actor) {
      await give(refuse, deps, actor, request.payload as Payload, { reason: request.reason ?? '', request });
      return { state: 'SUCCESS' };
    },
  },
];

/** Answers the giving of coins. */
export function coinOperatorCall(declare: OperatorDeclare, deps: CoinOperatorDeps): void {
  declare(contract.grantCoins, async ({ params, body, actor, refuse }) => {
    const holder = await getHolderOrThrow(refuse, deps, params.id);
    const { coins, key, reason } = body;
    const payload = { member: String(holder.id), coins, key, makerId: String(actor.id) };
    if (await repeated(refuse, deps, payload)) return { state: 'SUCCESS', approval: null };
    const approval = await inTransaction(deps.pool, async (tx) => {
      const isSmall = await recordSmallAction(deps, tx, {
        operatorId: actor.id,
        reference: `coins:${key}`,
        direction: 'credit',
        unit: 'COIN',
        amount: BigInt(coins),
        members: [holder.id],
        isBatch: false,
      });
      if (isSmall) return null;
      return requestApproval(refuse, deps, tx, actor, {
        action: ACTION,
        subject: entityRef('member', holder.id),
        payload,
        summary: { member: holder.id, name: holder.name, coins },
        reason,
      });
    });
    if (approval) return { state: 'PENDING', approval };
    await give(refuse, deps, actor, payload, { reason, request: null });
    return { state: 'SUCCESS', approval: null };
  });
}
