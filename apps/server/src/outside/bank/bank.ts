import type { Currency } from '@krapao/contract/shared';
import type { PartnerAnswer } from '../partner.ts';

/** A payment the bank has received for us. */
export interface BankPayment {
  /** The bank's own reference: once-only together with the bank's code. */
  bankReference: string;
  amountMinor: bigint;
  payerBank: string;
  payerAccount: string;
  payerName: string;
  billerId: string;
  reference1: string;
  paidAt: Date;
}

export interface PayoutOrder {
  /** Ours; a repeat under the same reference pays once. */
  reference: string;
  amountMinor: bigint;
  bankCode: string;
  accountNo: string;
  accountName: string;
}

/** What the bank says about a payout of ours. */
export interface PayoutNews {
  state: 'ACCEPTED' | 'PAID' | 'REJECTED';
  /** Satang the bank says it is about. */
  amountMinor: bigint;
  reason: string | null;
}

/** What a bank takes in and pays out; money in another currency never goes to one. */
export const BANK_CURRENCY: Currency = 'BAHT';

/** A bank that makes bill-payment QRs, confirms payments and pays out. Amounts are satang. */
export interface Bank {
  code: string;
  /** Text of a bill-payment QR for exactly this amount and reference. */
  createQr(order: { reference: string; amountMinor: bigint }): Promise<PartnerAnswer<string>>;
  /** Every payment the bank has received under a reference of ours. */
  paymentsFor(reference: string): Promise<PartnerAnswer<BankPayment[]>>;
  payout(order: PayoutOrder): Promise<PartnerAnswer<PayoutNews>>;
  /** `rejected` with code ABSENT when the bank has never seen the reference. */
  payoutState(reference: string): Promise<PartnerAnswer<PayoutNews>>;
  /** Reads a confirmation; null when the signature, the time or the shape is wrong. */
  readConfirmation(
    rawBody: string,
    signature: string | undefined,
    now: Date,
  ): { payment: BankPayment; transactionId: string } | null;
}
