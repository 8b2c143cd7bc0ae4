import { slips as slipContract } from '@krapao/contract/member';
import { fromMinor, toMinor } from '@krapao/contract/shared';
import { type Ledger, RespondedBefore, readBalance, respondOnce, type Saved } from '../../../ledger/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Pool } from '../../../platform/database/db.ts';
import type { Declare } from '../../../platform/http/declare.ts';
import { newId } from '../../../platform/ids.ts';
import type { Intent } from '../../../platform/intent.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Member } from '../../../platform/sessions.ts';
import type { Settings } from '../../../platform/settings.ts';

export interface PaymentReportDeps {
  pool: Pool;
  ledger: Ledger;
  clock: Clock;
  settings: Settings;
}

const receiptOf = (deps: PaymentReportDeps, member: Member, amountMinor: bigint) => {
  const createdAt = deps.clock.now();
  return {
    id: newId('DP', createdAt),
    type: 'deposit' as const,
    status: 'PENDING' as const,
    amount: fromMinor(amountMinor, member.currency),
    from: 'manual',
    to: 'wallet',
    createdAt: createdAt.toISOString(),
    message: 'OK',
  };
};
type Receipt = ReturnType<typeof receiptOf>;

async function reportPayment(
  deps: PaymentReportDeps,
  member: Member,
  amountMinor: bigint,
  intent: Intent | null,
): Promise<Receipt> {
  const receipt = receiptOf(deps, member, amountMinor);
  const outcome = await deps.ledger.post({
    reference: `payment-report:${receipt.id}`,
    kind: 'payment_report',
    memberId: member.id,
    legs: [],
    attached: { name: 'payment_report', row: { id: receipt.id, memberId: member.id, amount: amountMinor } },
    exclusive: [`payment report ${member.id}`],
    ...(intent ? { saved: { ...intent, state: 'DONE' as const, response: receipt } } : {}),
  });
  if (outcome.state === 'answered') throw new RespondedBefore();
  if (outcome.state === 'refused') throw new Refusal(outcome.body.message as 'REQUEST_LIMIT');
  return receipt;
}

/** Declares a member's payment report. It moves no money: operators look for the payment. */
export function paymentReportCall(declare: Declare, deps: PaymentReportDeps): void {
  declare(slipContract.reportPayment, async ({ member, body, intent, refuse }) => {
    const withWallet = async (receipt: Receipt) => {
      const { balanceMinor } = await readBalance(deps.pool, member.walletAccount);
      return { ...receipt, wallet: { amount: fromMinor(balanceMinor, member.currency) } };
    };
    const build = (saved: Saved) => withWallet(saved.response as Receipt);
    return respondOnce(deps, intent, { build }, async () => {
      if (!deps.settings.get('deposit.manual')) throw refuse('NO_BANK');
      const amountMinor = toMinor(body.amount, member.currency);
      if (amountMinor === null) throw refuse('TRANSFER_MINIMUM');
      return withWallet(await reportPayment(deps, member, amountMinor, intent));
    });
  });
}
