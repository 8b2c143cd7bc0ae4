/** Payouts from the company's account: accepted at once, paid or rejected a moment later. */
import { minorToDecimal } from '@krapao/contract/shared';
import { plan, unplan } from '../world/agenda.ts';
import { nowMs } from '../world/clock.ts';
import { strike } from '../world/faults.ts';
import { happen } from '../world/happenings.ts';
import type { Payout } from '../world/state.ts';
import { changed, nextNumber, type World } from '../world/world.ts';
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
 * Accepts a payout, once for each reference: a repeat answers the first one as it stands now; the same reference
 * with another amount or receiver answers 'CONFLICT'.
 */
export function requestPayout(world: World, wanted: WantedPayout): Payout | 'CONFLICT' {
  const known = world.state.payouts.get(wanted.reference);
  if (known) {
    const same =
      known.amountMinor === wanted.amountMinor &&
      known.bankCode === wanted.bankCode &&
      known.accountNo === wanted.accountNo;
    return same ? known : 'CONFLICT';
  }
  const payout: Payout = {
    ...wanted,
    payoutId: `PO${String(nextNumber(world, 'payout')).padStart(10, '0')}`,
    state: 'ACCEPTED',
    acceptedAtMs: nowMs(world),
  };
  world.state.payouts.set(payout.reference, payout);
  changed(world);
  notify(world, payout);
  const { payoutMode, payoutDelayMs } = world.state.settings;
  if (payoutMode === 'auto') plan(world, 'settle-payout', payout.reference, nowMs(world) + payoutDelayMs);
  return payout;
}

function notify(world: World, payout: Payout): void {
  happen(world, 'payout', {
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
export function runSettlePayout(world: World, reference: string, dueMs: number): void {
  const payout = world.state.payouts.get(reference);
  if (payout?.state !== 'ACCEPTED') return;
  const { fault } = strike(world, {
    party: 'bank-a',
    call: 'settle-payout',
    reference,
    member: payout.accountNo,
  });
  if (fault?.kind === 'late') plan(world, 'settle-payout', reference, dueMs + (fault.ms ?? LATE_MS));
  else if (fault?.kind === 'refuse') settlePayout(world, reference, 'REJECTED', 'REFUSED_BY_BANK');
  else settlePayout(world, reference, 'PAID');
}

/**
 * Pays or rejects a waiting payout; false when there is none. Paying turns into rejecting with INVALID_ACCOUNT or
 * INSUFFICIENT_FUNDS when the money cannot go.
 */
export function settlePayout(
  world: World,
  reference: string,
  verdict: 'PAID' | 'REJECTED',
  reason = 'REFUSED_BY_BANK',
): boolean {
  const payout = world.state.payouts.get(reference);
  if (payout?.state !== 'ACCEPTED') return false;
  unplan(world, 'settle-payout', reference);
  const obstacle = verdict === 'REJECTED' ? reason : payNow(world, payout);
  payout.state = obstacle ? 'REJECTED' : 'PAID';
  if (obstacle) payout.reason = obstacle;
  payout.settledAtMs = nowMs(world);
  changed(world);
  notify(world, payout);
  return true;
}

function payNow(world: World, payout: Payout): string | undefined {
  const from = findAccount(world, accountKey(COMPANY))!;
  const to = receivingAccount(world, payout.bankCode, payout.accountNo, payout.accountName);
  if (!to || to === from) return 'INVALID_ACCOUNT';
  const { amountMinor, reference } = payout;
  const transRef = transRefOf(world, from.bankCode);
  return moveMoney(world, { from, to, amountMinor, kind: 'payout', reference, transRef })
    ? undefined
    : 'INSUFFICIENT_FUNDS';
}
