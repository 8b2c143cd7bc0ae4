import { withdrawals } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { Actor } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId } from '../../platform/ids.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../approvals/read.ts';
import { assignedAfter } from '../assignments/read.ts';
import { bankTransactionUse } from '../deposits/read.ts';
import { findPaid, listReturnCandidates, listReturnCredits, type PaidRow } from './back-queries.ts';
import { returnItem } from './ledger.ts';
import type { OperatorDeps } from './operator-deps.ts';

const stateOf = (row: PaidRow | undefined): string => (row?.returned_id ? 'RETURNED' : (row?.status ?? ''));

interface Return {
  id: string;
  proof: string;
  /** The unmatched transaction that is the money, if the feed has brought it. */
  transaction: string | null;
}

async function getPaidOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED'>,
  deps: OperatorDeps,
  { id, transaction }: Pick<Return, 'id' | 'transaction'>,
) {
  const row = await findPaid(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  if (row.status !== 'SUCCESS' || row.returned_id || row.paid_from === null)
    throw refuse('ROW_CHANGED', { state: stateOf(row) });
  const transactions = transaction === null ? [] : await listReturnCandidates(deps.pool, id);
  const by = transactions.find((one) => String(one.id) === transaction) ?? null;
  if (transaction !== null && !by) throw refuse('ROW_CHANGED', { state: row.status });
  return { ...row, paid_from: row.paid_from, by };
}

interface Under {
  approvalId: string | null;
  reason: string | null;
  maker?: string;
}

/** Books exactly once that a paid withdrawal's money was returned: from the bank, or from the transaction that brought it. */
async function bringBack(
  refuse: Refuse<PostingCode | 'NO_DATA' | 'OPERATOR_LIMIT' | 'APPROVAL_PENDING' | 'CLAIMED'>,
  deps: OperatorDeps,
  actor: Actor,
  intent: Return,
  under: Under,
): Promise<void> {
  const row = await getPaidOrThrow(refuse, deps, intent);
  const now = deps.clock.now();
  const id = newId('RT', now);
  const auditEntry = {
    action: 'withdrawal.return',
    subject: entityRef('withdrawal', row.id),
    before: { state: row.status },
    after: {
      state: 'RETURNED',
      id,
      amount: row.amount,
      proof: intent.proof,
      line: intent.transaction,
      maker: under.maker,
    },
    reason: under.reason,
  };
  const from = row.by === null ? row.paid_from : await deps.systemAccount('unmatched', row.currency);
  const outcome = await deps.ledger.post(
    returnItem({
      id,
      withdrawal: row,
      from,
      proof: intent.proof,
      transaction: row.by && { id: row.by.id, use: bankTransactionUse(row.by) },
      action: actionRow(actor, auditEntry, {
        at: now,
        approvalId: under.approvalId,
        assignedAfter: assignedAfter(deps),
      }),
    }),
  );
  await requirePosted<'OPERATOR_LIMIT' | 'APPROVAL_PENDING' | 'CLAIMED'>(refuse, outcome, async () =>
    stateOf(await findPaid(deps.pool, row.id)),
  );
}

/** The requests about returned payouts that wait for a second person. */
export const returnActions = (deps: OperatorDeps): CheckedAction[] => [
  {
    name: 'withdrawal.return',
    permission: 'approval.money',
    madeWith: ['withdrawal.pay'],
    async carryOut(refuse, request, actor) {
      const { id: approvalId, reason, maker } = request;
      await bringBack(refuse, deps, actor, request.payload as Return, { approvalId, reason, maker });
      return { state: 'RETURNED' };
    },
  },
];

/**
 * Answers booking a payout that the bank sent back. A second person decides: where that is set, and wherever its money
 * may have been credited already.
 */
export function returnCall(declare: OperatorDeclare, deps: OperatorDeps): void {
  declare(withdrawals.returnWithdrawal, async ({ params, body, actor, refuse }) => {
    const intent: Return = { id: params.id, proof: body.proof, transaction: body.transaction ?? null };
    const row = await getPaidOrThrow(refuse, deps, intent);
    const credits = intent.transaction === null ? await listReturnCredits(deps.pool, row.id) : [];
    if (!deps.settings.get('desk.makerChecker') && credits.length === 0) {
      await bringBack(refuse, deps, actor, intent, { approvalId: null, reason: body.reason });
      return { state: 'RETURNED', approval: null };
    }
    return inTransaction(deps.pool, async (tx) => ({
      state: row.status,
      approval: await requestApproval(refuse, deps, tx, actor, {
        action: 'withdrawal.return',
        subject: entityRef('withdrawal', row.id),
        payload: intent,
        summary: {
          id: row.id,
          member: row.member_id,
          name: row.member_name,
          proof: intent.proof,
          amount: fromMinor(row.amount, row.currency),
          currency: row.currency,
          ...(row.by
            ? { line: `${row.by.bank_code} ${row.by.bank_reference}`, payer: row.by.payer_mask }
            : {}),
          ...(credits.length > 0 ? { credited: credits.join(', ') } : {}),
        },
        reason: body.reason,
      }),
    }));
  });
}
