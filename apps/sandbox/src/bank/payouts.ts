/** Payouts from the company's account: accepted at once, paid or rejected a moment later. */
import { minorToDecimal } from '@krapao/contract/shared';
import { plan, unplan } from '../environment/agenda.ts';
import { nowMs } from '../environment/clock.ts';
import { changed, type Environment, nextNumber } from '../environment/environment.ts';
import { strike } from '../environment/faults.ts';
import { happen } from '../environment/happenings.ts';
import type { Payout } from '../environment/state.ts';
import { accountKey, COMPANY, findAccount, moveMoney, receivingAccount, transRefOf } from './accounts.ts';

const LATE_MS = 60_000;

export interface WantedPayout {
  reference: string;
  amountMinor: bigint;
  bankCode: string;
  accountNo: string;
  accountName: string;
}

/**
 * Accepts a payout, once for each reference: a repeat returns the first one in its current state; the same reference
 * with another amount or receiver answers 'CONFLICT'.
 */
export function requestPayout(environment: Environment, wanted: WantedPayout): Payout | 'CONFLICT' {
  const known = environment.state.payouts.get(wanted.reference);
  if (known) {
    const same =
      known.amountMinor === wanted.amountMinor &&
      known.bankCode === wanted.bankCode &&
      known.accountNo === wanted.accountNo;
    return same ? known : 'CONFLICT';
  }
  const payout: Payout = {
    ...wanted,
    payoutId: `PO${String(nextNumber(environment, 'payout')).padStart(10, '0')}`,
    state: 'ACCEPTED',
    acceptedAtMs: nowMs(environment),
  };
  environment.state.payouts.set(payout.reference, payout);
  changed(environment);
  notify(environment, payout);
  const { payoutMode, payoutDelayMs } = environment.state.settings;
  if (payoutMode === 'auto')
    plan(environment, 'settle-payout', payout.reference, nowMs(environment) + payoutDelayMs);
  return payout;
}

function notify(environment: Environment, payout: Payout): void {
  happen(environment, 'payout', {
    reference: payout.reference,
    facts: {
      state: payout.state,
      final: payout.state !== 'ACCEPTED',
      amount: minorToDecimal(payout.amountMinor, 2),
      reason: payout.reason,
    },
  });
}

/** Agenda: settles a payout unless a fault makes the bank late or unwilling. */
export function runSettlePayout(environment: Environment, reference: string, dueMs: number): void {
  const payout = environment.state.payouts.get(reference);
  if (payout?.state !== 'ACCEPTED') return;
  const { fault } = strike(environment, {
    party: 'bank-a',
    call: 'settle-payout',
    reference,
    member: payout.accountNo,
  });
  if (fault?.kind === 'late') plan(environment, 'settle-payout', reference, dueMs + (fault.ms ?? LATE_MS));
  else if (fault?.kind === 'refuse') settlePayout(environment, reference, 'REJECTED', 'REFUSED_BY_BANK');
  else settlePayout(environment, reference, 'PAID');
}

/**
 * Pays or rejects a waiting payout; false when there is none. Paying turns into rejecting with INVALID_ACCOUNT or
 * INSUFFICIENT_FUNDS when the money cannot go.
 */
export function settlePayout(
  environment: Environment,
  reference: string,
  verdict: 'PAID' | 'REJECTED',
  reason = 'REFUSED_BY_BANK',
): boolean {
  const payout = environment.state.payouts.get(reference);
  if (payout?.state !== 'ACCEPTED') return false;
  unplan(environment, 'settle-payout', reference);
  const obstacle = verdict === 'REJECTED' ? reason : payNow(environment, payout);
  payout.state = obstacle ? 'REJECTED' : 'PAID';
  if (obstacle) payout.reason = obstacle;
  payout.settledAtMs = nowMs(environment);
  changed(environment);
  notify(environment, payout);
  return true;
}

function payNow(environment: Environment, payout: Payout): string | undefined {
  const from = findAccount(environment, accountKey(COMPANY))!;
  const to = receivingAccount(environment, payout.bankCode, payout.accountNo, payout.accountName);
  if (!to || to === from) return 'INVALID_ACCOUNT';
  const { amountMinor, reference } = payout;
  const transRef = transRefOf(environment, from.bankCode);
  return moveMoney(environment, { from, to, amountMinor, kind: 'payout', reference, transRef })
    ? undefined
    : 'INSUFFICIENT_FUNDS';
}
