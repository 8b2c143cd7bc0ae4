import type { Currency } from '@krapao/contract/shared';
import type { PartnerResponse } from './partner.ts';
import type { Span, Statement } from './statement.ts';

/** A payment a bank or a gateway has received for us. */
export interface BankPayment {
  /** The partner's own reference: once-only together with its code. */
  bankReference: string;
  amountMinor: bigint;
  payerBank: string;
  payerAccount: string;
  payerName: string;
  billerId: string;
  reference1: string;
  paidAt: Date;
}

/** What a partner states of one reference. */
export interface StatedPayments {
  payments: BankPayment[];
  /** How many more it lists in a form that cannot be read: there may be money behind each. */
  unreadable: number;
}

/** Separates the payments of a list that were read from those that were not, which are null. */
export function statedPayments(read: readonly (BankPayment | null)[]): StatedPayments {
  const payments = read.filter((payment) => payment !== null);
  return { payments, unreadable: read.length - payments.length };
}

export interface QrOrder {
  /** Ours, unique forever: A–Z and 0–9, at most 20. */
  reference: string;
  amountMinor: bigint;
  /** When the QR ends, for partners that keep such a time themselves. */
  expiresAt: Date;
}

/** Where and how a partner tells us of payments by itself. */
export interface PaymentHook {
  path: string;
  /** Header that carries the signature, in lower case. */
  signatureHeader: string;
  /** Reads a notice; null when the signature, the time or the shape is wrong. `answer` acknowledges it. */
  read(
    rawBody: string,
    signature: string | undefined,
    now: Date,
  ): { payment: BankPayment; response: object } | null;
  /** The body that refuses a notice, with status 401. */
  refusal: object;
}

/** Codes with which a partner definitely answers about one QR. Any other code refuses the call and proves nothing of it. */
export const QR_REFUSAL = {
  /** The partner has never seen the reference. */
  ABSENT: 'ABSENT',
  /** It cannot be cancelled any more, because it was paid. */
  PAID: 'ALREADY_PAID',
} as const;

/** A provider of QRs. Amounts are minor units of its currency. */
export interface QrOffer {
  /** The bank code members and rows know it by. */
  code: string;
  currency: Currency;
  /** Which setting holds its least amount. */
  minimum: 'qr.minimum' | 'qr.gatewayMinimum';
  /** Text of a QR for exactly this amount and reference; a repeat of the same order makes no second one. */
  createQr(order: QrOrder): Promise<PartnerResponse<string>>;
  /**
   * Ends a QR at the partner, where there is a way to; safe to repeat. `rejected` with PAID or ABSENT of
   * {@link QR_REFUSAL} when there is nothing to end; with any other code the call was refused.
   */
  cancelQr?(reference: string): Promise<PartnerResponse<null>>;
}

/** One that also tells by itself what is paid through them: a bank or a payment gateway. */
export interface QrMaker extends QrOffer {
  /**
   * Every payment received under a reference of ours, late and second ones too. `rejected` with ABSENT of
   * {@link QR_REFUSAL} when the partner has never seen it; with any other code the call was refused.
   */
  paymentsFor(reference: string): Promise<PartnerResponse<StatedPayments>>;
  /** Everything that moved on the account behind its QRs, payouts from there too; NOT_OFFERED where there is no such list. */
  statement(span: Span): Promise<Statement>;
  hook: PaymentHook;
}
