import type { createSystemAccounts, Ledger, Outcome } from '../../ledger/index.ts';
import { payItem, releaseItem, type SettledBy } from './ledger.ts';
import type { WithdrawalRow } from './queries.ts';

interface SettleDeps {
  ledger: Ledger;
  systemAccount: ReturnType<typeof createSystemAccounts>;
}

/** How a withdrawal ends: paid by a bank of ours, or given back to the wallet. */
export type WithdrawalEnd = { paidBy: string } | 'released';

/**
 * Books the end of a withdrawal exactly once, for any caller: money that was paid leaves the hold for the bank's
 * account, money that was not goes back to the wallet. The outcome of a later call is `repeated` or `refused`, and
 * nothing changes: in particular nothing is released while an operator requests to book it as paid manually.
 */
export async function settleWithdrawal(
  { ledger, systemAccount }: SettleDeps,
  row: WithdrawalRow,
  end: WithdrawalEnd,
  by: SettledBy,
  reason: string | null,
): Promise<Outcome> {
  if (end === 'released') return ledger.post(releaseItem(row, { by, reason }));
  return ledger.post(payItem(row, await systemAccount(`bank:${end.paidBy}`, row.currency), { by, reason }));
}
