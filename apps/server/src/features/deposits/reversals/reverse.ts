import { money } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { createSystemAccounts, Ledger } from '../../../ledger/index.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { entityRef } from '../../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../../platform/http/declare-operator.ts';
import { newId } from '../../../platform/ids.ts';
import type { Refusal, Refuse } from '../../../platform/refusal.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { Settings } from '../../../platform/settings.ts';
import { inTransaction } from '../../../platform/transaction.ts';
import {
  actionRow,
  type CheckedAction,
  type PostingCode,
  requestApproval,
  requirePosted,
} from '../../approvals/read.ts';
import type { DepositOperatorDeps } from '../operator.ts';
import { type CreditedRow, findCredited } from '../operator-queries.ts';

export interface ReverseDeps extends DepositOperatorDeps {
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
  clock: Clock;
  settings: Settings;
  secrets: Secrets;
}

const stateOf = (row: CreditedRow | undefined): string => (row?.reversal_id ? 'REVERSED' : 'SUCCESS');

/** Locks the deposit; refuses when it was reversed or the member no longer has the money. */
async function getCreditedOrThrow(
  refuse: Refuse<'NO_DATA' | 'ROW_CHANGED' | 'WALLET_SHORT'>,
  deps: ReverseDeps,
  id: string,
): Promise<CreditedRow> {
  const row = await findCredited(deps.pool, id);
  if (!row) throw refuse('NO_DATA');
  if (row.reversal_id) throw refuse('ROW_CHANGED', { state: 'REVERSED' });
  if (row.wallet < row.amount) throw tooLittle(refuse, row);
  return row;
}

const tooLittle = (refuse: Refuse<'WALLET_SHORT'>, row: CreditedRow): Refusal =>
  refuse('WALLET_SHORT', { there: fromMinor(row.wallet, row.currency) });

interface Under {
  approvalId: string | null;
  reason: string | null;
  maker?: string;
}

/**
 * Takes a deposit back exactly once: moves the money from the wallet to unmatched, where its owner can be found
 * or it can be sent back. What the member has spent is not taken: WALLET_SHORT with what is there.
 */
async function reverse(
  refuse: Refuse<PostingCode | 'WALLET_SHORT'>,
  deps: ReverseDeps,
  actor: Actor,
  row: CreditedRow,
  under: Under,
): Promise<void> {
  const now = deps.clock.now();
  const id = newId('RV', now);
  const auditEntry = {
    action: 'deposit.reverse',
    subject: entityRef('deposit', row.id),
    before: { state: 'SUCCESS', wallet: row.wallet },
    after: {
      state: 'REVERSED',
      id,
      amount: row.amount,
      currency: row.currency,
      member: row.member_id,
      maker: under.maker,
    },
    reason: under.reason,
  };
  const payerSealed = deps.secrets.encrypt('payer', JSON.stringify({ account: '', name: '' }));
  const outcome = await deps.ledger.post({
    reference: `deposit:${row.id}:reverse`,
    kind: 'deposit_reversed',
    memberId: row.member_id,
    legs: [
      {
        from: row.wallet_account,
        to: await deps.systemAccount('unmatched', row.currency),
        amountMinor: row.amount,
      },
    ],
    attached: {
      name: 'operator_reversal',
      row: {
        action: actionRow(actor, auditEntry, { at: now, approvalId: under.approvalId }),
        id,
        depositId: row.id,
        payerSealed,
      },
    },
    // Evidence of the same transfer, and a bonus run that the deposit would back, are not decided in the same batch.
    exclusive: [
      `transfer ${row.bank_code} ${row.bank_reference}`,
      `transfer ${row.bank_code} ${row.currency} ${row.amount}`,
      `run of ${row.member_id}`,
    ],
  });
  if (outcome.state === 'insufficient')
    throw tooLittle(refuse, (await findCredited(deps.pool, row.id)) ?? row);
  await requirePosted(refuse, outcome, async () => stateOf(await findCredited(deps.pool, row.id)));
}

/** What of deposits waits for a second person. */
export const depositActions = (deps: ReverseDeps): CheckedAction[] => [
  {
    name: 'deposit.reverse',
    permission: 'approval.money',
    madeWith: ['deposit.reverse'],
    async carryOut(refuse, request, actor) {
      const row = await getCreditedOrThrow(refuse, deps, (request.payload as { id: string }).id);
      const { id: approvalId, reason, maker } = request;
      await reverse(refuse, deps, actor, row, { approvalId, reason, maker });
      return { state: 'REVERSED' };
    },
  },
];

/** Declares the reversal of a deposit, which always needs a second operator. */
export function reverseCall(declare: OperatorDeclare, deps: ReverseDeps): void {
  declare(money.reverseDeposit, async ({ params, body, actor, refuse }) => {
    const row = await getCreditedOrThrow(refuse, deps, params.id);
    const { reason } = body;
    if (!deps.settings.get('desk.makerChecker')) {
      await reverse(refuse, deps, actor, row, { approvalId: null, reason });
      return { state: 'REVERSED', approval: null };
    }
    return inTransaction(deps.pool, async (tx) => ({
      state: 'SUCCESS',
      approval: await requestApproval(refuse, deps, tx, actor, {
        action: 'deposit.reverse',
        subject: entityRef('deposit', row.id),
        payload: { id: row.id },
        summary: {
          id: row.id,
          member: row.member_id,
          name: row.member_name,
          reference: `${row.bank_code} ${row.bank_reference}`,
          amount: fromMinor(row.amount, row.currency),
          currency: row.currency,
          ...(row.run === null ? {} : { run: row.run }),
        },
        reason,
      }),
    }));
  });
}
