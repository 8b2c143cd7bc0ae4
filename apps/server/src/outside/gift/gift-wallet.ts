import type { PartnerResponse } from '../partner.ts';
import type { Span, Statement } from '../statement.ts';

/** A voucher from our wallet's side. Amounts are satang. */
export type GiftState =
  /** Nothing of it is ours yet. `partMinor`: what our part is worth, or at most is where parts are random. */
  | { state: 'OPEN'; partMinor: bigint }
  /** Our wallet has taken its part. */
  | { state: 'OURS'; amountMinor: bigint }
  /** There is nothing to take. `isProven`: the list of takers is complete and our wallet is not on it. */
  | { state: 'CLOSED'; reason: string; isProven: boolean };

/** The mobile wallet that gift vouchers are taken into. */
export interface GiftWallet {
  /** How the wallet's owner is called. */
  name: string;
  /** Looks up a voucher without redeeming it. */
  look(code: string): Promise<PartnerResponse<GiftState>>;
  /**
   * Redeems our part. A repeat redeems nothing more and returns what was received; `unknown`: it may have been
   * redeemed.
   */
  redeem(code: string): Promise<PartnerResponse<GiftState>>;
  /** What our wallet has taken, by voucher code; NOT_OFFERED where there is no such list. */
  statement(span: Span): Promise<Statement>;
}
