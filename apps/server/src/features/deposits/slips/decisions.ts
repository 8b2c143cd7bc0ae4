import type { SlipReason } from '@krapao/contract/shared';
import { type MatchDeps, settle } from '../matching/match.ts';
import { findMemberAccount } from '../matching/queries.ts';
import { findReviewed, isAccepted, markDecision, refuseReviewed, reopenReviewed } from './queries.ts';

/** The operator and their reason, for the audit trail. */
export interface Decision {
  actor: string;
  reason: string;
  /** In the console: in which role, and from where. */
  role?: string;
  address?: string;
}

/** GONE: not waiting for a decision. NO_FACTS: the bank has not reported our account or the reference. */
export type Accepted = 'credited' | 'duplicate' | 'unclear' | 'GONE' | 'NO_FACTS';

/**
 * Credits a waiting slip by an operator's decision, with the bank's data. A transfer credited before stays credited
 * once: the slip ends as its duplicate. `unclear`: it may be one of several transfers, nothing was booked.
 */
export async function acceptSlip(deps: MatchDeps, id: string, decision: Decision): Promise<Accepted> {
  const slip = await findReviewed(deps.pool, id);
  if (!slip) return 'GONE';
  const { bank_code, currency, amount, paid_at, payer_sealed, trans_ref } = slip;
  if (!bank_code || !currency || !amount || !paid_at || !payer_sealed || !trans_ref) return 'NO_FACTS';
  // Checked when the bank's reference was not stored yet: another query returns it.
  if (slip.printed_ref === null && slip.doubts.includes('reference')) return 'NO_FACTS';
  await markDecision(deps.pool, id, decision);
  const payer: { account: string; name: string } = JSON.parse(deps.secrets.decrypt('payer', payer_sealed));
  const member = await findMemberAccount(deps.pool, slip.member_id);
  const { booked } = await settle(
    deps,
    {
      source: 'SLIP',
      bankCode: bank_code,
      accountNo: slip.account_no,
      currency,
      bankReference: trans_ref,
      amountMinor: amount,
      payerBank: slip.sending_bank ?? '',
      payerAccount: payer.account,
      payerName: payer.name,
      reference1: null,
      paidAt: paid_at,
    },
    {
      memberId: member.member_id,
      walletAccount: member.wallet_account,
      channel: 'SLIP',
      qrId: null,
      slipId: id,
      fromOtherAccount: false,
      isAccepted: true,
    },
  );
  if (booked === 'credited') return 'credited';
  // Another slip of the same transfer was accepted before.
  if (booked !== 'tied' && (await isAccepted(deps.pool, slip)))
    return (await refuseSlip(deps, id, 'DUPLICATE_REFERENCE', decision)) ? 'duplicate' : 'GONE';
  if (booked === 'tied') return 'duplicate';
  return booked === 'unclear' || booked === 'known' ? 'unclear' : 'GONE';
}

/** Refuses a waiting slip with a reason for the member; false when it is no longer waiting. */
export const refuseSlip = (
  deps: MatchDeps,
  id: string,
  note: SlipReason,
  decision: Decision,
): Promise<boolean> => refuseReviewed(deps.pool, id, note, decision, deps.clock.now());

/** Schedules another check of a waiting slip; false when it is no longer waiting. */
export const recheckSlip = (deps: MatchDeps, id: string, decision: Decision): Promise<boolean> =>
  reopenReviewed(deps.pool, id, decision, deps.clock.now());
