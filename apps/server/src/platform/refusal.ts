import type { CommonCode, ErrorCode } from '@krapao/contract/shared';

/** Why something was refused, for code that decides by it; the HTTP edge turns a kind into a status. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'rate-limited'
  | 'internal'
  | 'unavailable';

/** The kind of every code; a new code does not compile without one. */
const KINDS: Readonly<Record<ErrorCode, RefusalKind>> = {
  UNAUTHORIZED: 'forbidden',
  EXPIRED_AUTH_TOKEN: 'unauthenticated',
  INVALID_USER_1: 'unauthenticated',
  INVALID_USER_2: 'unauthenticated',
  INVALID_USER_3: 'unauthenticated',
  INVALID_USER_4: 'unauthenticated',
  'invalid-token': 'unauthenticated',
  gone: 'gone',
  INVALID_IP: 'forbidden',
  INVALID_USER_INFO: 'invalid',
  NO_USER: 'invalid',
  WRONG_PASSWORD: 'invalid',
  WRONG_CREDENTIAL: 'unauthenticated',
  INACTIVE_USER: 'forbidden',
  LOGIN_FAIL: 'invalid',
  NOT_AREASLOT: 'invalid',
  NOT_UFABET: 'invalid',
  GAME_ACTIVATION_FAIL: 'unavailable',
  SLOT_ALREADY_ACTIVE: 'invalid',
  SLOT_ACTIVATE_FAIL: 'invalid',
  SLOT_NO_ACCOUNT: 'invalid',
  SLOT_RESET_PASSWORD_FAIL: 'invalid',
  NO_GAME: 'invalid',
  OTP_BLOCK: 'rate-limited',
  REQUEST_LIMIT: 'rate-limited',
  REQUEST_LIMIT_1MIN: 'rate-limited',
  OTP_TOKEN_INVALID: 'invalid',
  OTP_NOT_EXIST: 'invalid',
  OTP_VERIFIED: 'invalid',
  OTP_EXPIRED: 'invalid',
  OTP_CODE_INVALID: 'invalid',
  OTP_CODE_VALID: 'invalid',
  OTP_SEND_FAIL: 'invalid',
  OTP_VERIFY_FAIL: 'internal',
  UNVERIFIED_OTP: 'invalid',
  EXISTING_USER: 'invalid',
  EXISTING_BANK: 'invalid',
  INVALID_BANK: 'invalid',
  BANK_ACCOUNT_NAME_ENG: 'invalid',
  REGISTER_FAIL: 'invalid',
  PHONE_NUMBER_REQUIRE_10_DIGIT: 'invalid',
  BONUS_REMAINING: 'invalid',
  BONUS_ALREADY_ACTIVE: 'invalid',
  BONUS_MAX_CLAIMED: 'invalid',
  BONUS_CONDITION: 'invalid',
  BONUS_CLEAR: 'invalid',
  BONUS_TAKES_MORE: 'invalid',
  BONUS_FULL: 'invalid',
  NO_PROMOTION: 'invalid',
  PROMOTION_RECEIVED: 'invalid',
  INVITE_COLLECT: 'invalid',
  INVITE_INACTIVE: 'invalid',
  NO_INVITE_BONUS: 'invalid',
  NO_INVITEE_PLAY_INFO: 'invalid',
  INVITE_BONUS_SUCCESS: 'invalid',
  INVITE_BONUS_FAIL: 'invalid',
  INTERNAL_SERVER_ERROR: 'internal',
  KEY_MISSING: 'unauthenticated',
  KEY_INVALID: 'unauthenticated',
  OK: 'invalid',
  SUCCESS: 'invalid',
  NO_DATA: 'not-found',
  QR_FAIL: 'invalid',
  NO_REFUND: 'invalid',
  REFUND_CONDITION: 'invalid',
  REFUND_SUCCESS: 'invalid',
  REFUND_INACTIVE: 'invalid',
  REFUND_MINIMUM: 'invalid',
  NO_BANK: 'invalid',
  NO_WALLET: 'invalid',
  TRANSFER_MINIMUM: 'invalid',
  TRANSFER_MAXIMUM: 'invalid',
  MONEY_NOT_ENOUGH: 'invalid',
  TRANSFER_FAIL: 'invalid',
  SLIP_UPLOAD_FAIL: 'invalid',
  SLIP_NO_FILE: 'invalid',
  SLIP_INVALID_FILE: 'invalid',
  CHAT_FILE_UNSUPPORTED: 'invalid',
  CHAT_FILE_TOO_LARGE: 'invalid',
  CHAT_FILES_FULL: 'invalid',
  STORAGE_FULL: 'unavailable',
  TRUELINK_DUPLICATE: 'invalid',
  TRUELINK_INVALID: 'invalid',
  NO_CLAIMABLE_COUPON: 'invalid',
  INVALID_PRIZE_CODE: 'invalid',
  INVALID_CODE: 'invalid',
  INVALID_COUPON_TYPE: 'invalid',
  COUPON_EXPIRED: 'invalid',
  WITHDRAW_MINIMUM: 'invalid',
  WITHDRAW_MAXIMUM: 'invalid',
  BONUS_DEPOSIT_REQUIRED: 'invalid',
  NOT_ENOUGH_COIN: 'invalid',
  SPINWHEEL_INACTIVE: 'invalid',
  PROVIDER_UNAVAILABLE: 'unavailable',
  LIMIT_REACHED: 'invalid',
  SELF_EXCLUDED: 'invalid',
  INVALID_REQUEST: 'invalid',
  IDEMPOTENCY_CONFLICT: 'conflict',
  FILE_NOT_EXIST: 'invalid',
  IMAGE_UNPROCESSABLE: 'invalid',
  CROPPED_IMAGE_UNREADABLE: 'invalid',
  INVALID_DESTINATION_ACCOUNT: 'invalid',
  DUPLICATE_REFERENCE: 'invalid',
  UNSTABLE_REFERENCE: 'invalid',
  CAPTCHA_WRONG_3_TIMES: 'invalid',
  INVALID_SLIP: 'invalid',
  ACCOUNT_NOT_MATCH: 'invalid',
  SLIP_EXPIRED: 'invalid',
  UNKNOWN_ERROR: 'invalid',
  ROW_CHANGED: 'conflict',
  NOT_CLAIMED: 'conflict',
  CLAIMED: 'conflict',
  ACCOUNT_COOLING: 'conflict',
  APPROVAL_PENDING: 'conflict',
  APPROVAL_MAKER: 'forbidden',
  APPROVAL_LAPSED: 'conflict',
  WALLET_SHORT: 'conflict',
  PAYOUT_UNSURE: 'conflict',
  PROOF_USED: 'conflict',
  EXISTING_OPERATOR: 'conflict',
  ENROLMENT_INVALID: 'invalid',
  WEBHOOK_URL: 'invalid',
  TOO_MANY_WEBHOOKS: 'conflict',
  KEY_NAME_TAKEN: 'conflict',
  TOO_MANY_KEYS: 'conflict',
  EXISTING_GAME: 'conflict',
  OPERATOR_LIMIT: 'forbidden',
  ROLE_IN_USE: 'conflict',
  STATEMENT_UNREADABLE: 'invalid',
  STATEMENT_BALANCE: 'invalid',
  STATEMENT_ACCOUNT: 'invalid',
  STATEMENT_DAYS: 'invalid',
  STATEMENT_TOO_LARGE: 'invalid',
  CODE_TAKEN: 'conflict',
  TAGS_MAX: 'conflict',
  NO_MAIL: 'conflict',
  LIST_FULL: 'conflict',
  WEAK_PASSWORD: 'invalid',
  BONUS_CHANGED: 'conflict',
  SPINWHEEL_CHANGED: 'invalid',
};

/**
 * A refusal with a public code. `note` goes to the log only. Codes that every call may answer are created here; every
 * other code is created by a `Refuse`, which is limited to what the call declares. Throws TypeError for a code that is
 * not in the catalogue: an internal code never reaches a client.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;
  readonly kind: RefusalKind;
  constructor(code: CommonCode, data?: Record<string, unknown>, note?: string) {
    super(note ?? code);
    if (!Object.hasOwn(KINDS, code)) throw new TypeError(`not a public code: ${code}`);
    this.code = code;
    this.data = data;
    this.kind = KINDS[code];
  }

  get body(): { message: ErrorCode; data?: Record<string, unknown> } {
    return this.data === undefined ? { message: this.code } : { message: this.code, data: this.data };
  }
}

/**
 * Creates refusals with the codes K, to be thrown. A handler receives one for the codes that its call declares, and a
 * function that refuses takes one as its first parameter: a code that some caller's call does not declare does not compile.
 */
export type Refuse<K extends ErrorCode = CommonCode> = (
  code: K | CommonCode,
  data?: Record<string, unknown>,
  note?: string,
) => Refusal;

/** Runs work that may also refuse with `codes`, which do not reach the caller: null is returned instead. */
export async function unlessRefused<K extends ErrorCode, Caught extends ErrorCode, T>(
  refuse: Refuse<K>,
  codes: readonly Caught[],
  work: (refuse: Refuse<K | Caught>) => Promise<T>,
): Promise<T | null> {
  try {
    return await work(refuse as Refuse<K | Caught>);
  } catch (error) {
    if (error instanceof Refusal && codes.some((code) => code === error.code)) return null;
    throw error;
  }
}
