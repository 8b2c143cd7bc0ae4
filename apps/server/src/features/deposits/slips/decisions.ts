import type { SlipReason } from '@krapao/contract/shared';
import { type MatchDeps, settle } from '../matching/match.ts';
import { findMemberAccount } from '../matching/queries.ts';
import { findReviewed, isAccepted, markDecision, refuseReviewed, reopenReviewed } from './queries.ts';

/** Who decides, and why; both stand in the audit trail. */
export interface Decision {
  actor: string;
  reason: string;
  /** In the console: in which role, and from where. */
  role?: string;
  address?: string;
}

/** GONE: not waiting for a decision. NO_FACTS: the bank has not told which account of ours received it, or under which reference. */
export type Accepted = 'credited' | 'duplicate' | 'unclear' | 'GONE' | 'NO_FACTS';

/**
 * Credits a waiting slip on an operator's word, with what the bank said. A transfer credited before stays credited
 * once: the slip ends as its duplicate. `unclear`: it may be one of several transfers, nothing was booked.
 */
export async function acceptSlip(deps: MatchDeps, id: string, decision: Decision): Promise<Accepted> {
  const slip = await findReviewed(deps.pool, id);
  if (!slip) return 'GONE';
  const { bank_code, currency, amount, paid_at, payer_sealed, trans_ref } = slip;
  if (!bank_code || !currency || !amount || !paid_at || !payer_sealed || !trans_ref) return 'NO_FACTS';
  // Looked at when the bank's reference was not kept yet: asking again tells it.
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
  // Another slip told of it before and was accepted for it.
  if (booked !== 'tied' && (await isAccepted(deps.pool, slip)))
    return (await refuseSlip(deps, id, 'DUPLICATE_REFERENCE', decision)) ? 'duplicate' : 'GONE';
  if (booked === 'tied') return 'duplicate';
  return booked === 'unclear' || booked === 'known' ? 'unclear' : 'GONE';
}

/** Ends a waiting slip with a reason the member is told; false when it does not wait any more. */
export const refuseSlip = (
  deps: MatchDeps,
  id: string,
  note: SlipReason,
  decision: Decision,
): Promise<boolean> => refuseReviewed(deps.pool, id, note, decision, deps.clock.now());

/** Has the bank asked about a waiting slip once more; false when it does not wait any more. */
export const recheckSlip = (deps: MatchDeps, id: string, decision: Decision): Promise<boolean> =>
  reopenReviewed(deps.pool, id, decision, deps.clock.now());
