/** Why a slip is surely no deposit; the codes members are told. */
export const SLIP_REASONS = [
  'FILE_NOT_EXIST',
  'IMAGE_UNPROCESSABLE',
  'CROPPED_IMAGE_UNREADABLE',
  'INVALID_DESTINATION_ACCOUNT',
  'DUPLICATE_REFERENCE',
  'UNSTABLE_REFERENCE',
  'CAPTCHA_WRONG_3_TIMES',
  'INVALID_SLIP',
  'ACCOUNT_NOT_MATCH',
  'SLIP_EXPIRED',
  'UNKNOWN_ERROR',
] as const;
export type SlipReason = (typeof SLIP_REASONS)[number];

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

/** `later`: the bank does not know it yet, a no would be wrong. Unknown: no certain answer came. */
export type SlipAnswer =
  | { outcome: 'ok'; value: SlipFacts }
  | { outcome: 'rejected'; reason: SlipReason }
  | { outcome: 'later'; afterMs: number }
  | { outcome: 'unknown'; note: string };

/** Tells the transfer behind the text of a slip's mini QR. Asking again is safe and costs quota. */
export interface SlipChecker {
  check(code: string): Promise<SlipAnswer>;
}

export interface SlipCheckerSettings {
  url: string;
  key: string;
  /** SlipOK counts by branch; EasySlip does not. */
  branch: string;
  timeoutMs: () => number;
}
