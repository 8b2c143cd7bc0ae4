import type { Currency, SlipReason } from '@krapao/contract/shared';

/** The currency of every transfer that a slip checker knows. */
export const SLIP_CURRENCY: Currency = 'BAHT';

/** One side of a transfer as the bank shows it: account and name are mostly masked. */
export interface SlipParty {
  /** BOT code; empty when the checker does not say. */
  bank: string;
  account: string;
  name: string;
}

/** The transfer behind a slip, from the bank's books and not from the picture. */
export interface SlipFacts {
  sendingBank: string;
  transRef: string;
  /** Satang. */
  amountMinor: bigint;
  paidAt: Date;
  sender: SlipParty;
  receiver: SlipParty;
  /** Reference 1 of a bill payment. */
  reference1: string | null;
}

/**
 * `later`: the bank does not know it yet, so a refusal would be wrong. `unknown`: no definite response, also when the
 * checker does not reach the bank.
 */
export type SlipResponse =
  | { outcome: 'ok'; value: SlipFacts }
  | { outcome: 'rejected'; reason: SlipReason }
  | { outcome: 'later'; afterMs: number }
  | { outcome: 'unknown'; note: string };

/** Returns the transfer behind the text of a slip's mini QR. A repeat is safe and costs quota. */
export interface SlipChecker {
  check(code: string): Promise<SlipResponse>;
}

export interface SlipCheckerSettings {
  url: string;
  key: string;
  /** SlipOK counts by branch; EasySlip does not. */
  branch: string;
  timeoutMs: () => number;
}
