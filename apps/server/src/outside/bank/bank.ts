import type { Currency } from '@krapao/contract/shared';
import type { PartnerResponse } from '../partner.ts';
import type { BankPayment } from '../qr-maker.ts';

export type { BankPayment } from '../qr-maker.ts';

export interface PayoutOrder {
  /** Ours; a repeat under the same reference pays once. */
  reference: string;
  amountMinor: bigint;
  bankCode: string;
  accountNo: string;
  accountName: string;
}

/** The bank's report about a payout. */
export interface PayoutNews {
  state: 'ACCEPTED' | 'PAID' | 'REJECTED';
  /** Satang the bank says it is about. */
  amountMinor: bigint;
  reason: string | null;
}

/** What a bank takes in and pays out; money in another currency never goes to one. */
export const BANK_CURRENCY: Currency = 'BAHT';

/** A bank that finds a payment it received for us. Amounts are satang. */
export interface PaymentInquiry {
  /** The code of the bank, as rows know it. */
  code: string;
  /** One payment by the bank's own reference; `rejected` with code ABSENT when it was no bill paid to us. */
  paymentBy(bankReference: string): Promise<PartnerResponse<BankPayment>>;
}

/** A bank that pays out. Amounts are satang. Whether it also makes QR codes or takes deposits is no matter here. */
export interface PayoutBank {
  /** The code of the bank, whose system account `bank:<code>` withdrawals are paid from. */
  code: string;
  /** Orders a payout. `rejected` with code DUPLICATE when the reference was used before, else with the bank's code. */
  payout(order: PayoutOrder): Promise<PartnerResponse<PayoutNews>>;
  /** `rejected` with code ABSENT when the bank has never seen the reference. */
  payoutState(reference: string): Promise<PartnerResponse<PayoutNews>>;
}
