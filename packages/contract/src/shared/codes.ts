/** Why a bank slip was not credited; members are shown the text of the code. */
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

/**
 * The closed list of codes the server may answer in `message`. Each has a Thai, Lao and English text in the
 * member app's catalogues; a code without its three texts fails the catalogue check.
 */
export const ERROR_CODES = [
  'UNAUTHORIZED',
  'EXPIRED_AUTH_TOKEN',
  'INVALID_USER_1',
  'INVALID_USER_2',
  'INVALID_USER_3',
  'INVALID_USER_4',
  'invalid-token',
  'gone',
  'INVALID_IP',
  'INVALID_USER_INFO',
  'NO_USER',
  'WRONG_PASSWORD',
  'WRONG_CREDENTIAL',
  'INACTIVE_USER',
  'LOGIN_FAIL',
  'NOT_AREASLOT',
  'NOT_UFABET',
  'GAME_ACTIVATION_FAIL',
  'SLOT_ALREADY_ACTIVE',
  'SLOT_ACTIVATE_FAIL',
  'SLOT_NO_ACCOUNT',
  'SLOT_RESET_PASSWORD_FAIL',
  'NO_GAME',
  'OTP_BLOCK',
  'REQUEST_LIMIT',
  'REQUEST_LIMIT_1MIN',
  'OTP_TOKEN_INVALID',
  'OTP_NOT_EXIST',
  'OTP_VERIFIED',
  'OTP_EXPIRED',
  'OTP_CODE_INVALID',
  'OTP_CODE_VALID',
  'OTP_SEND_FAIL',
  'OTP_VERIFY_FAIL',
  'UNVERIFIED_OTP',
  'EXISTING_USER',
  'EXISTING_BANK',
  'INVALID_BANK',
  'BANK_ACCOUNT_NAME_ENG',
  'REGISTER_FAIL',
  'PHONE_NUMBER_REQUIRE_10_DIGIT',
  'BONUS_REMAINING',
  'BONUS_ALREADY_ACTIVE',
  'BONUS_MAX_CLAIMED',
  'BONUS_CONDITION',
  'BONUS_CLEAR',
  'BONUS_FULL',
  'NO_PROMOTION',
  'PROMOTION_RECEIVED',
  'INVITE_COLLECT',
  'INVITE_INACTIVE',
  'NO_INVITE_BONUS',
  'NO_INVITEE_PLAY_INFO',
  'INVITE_BONUS_SUCCESS',
  'INVITE_BONUS_FAIL',
  'INTERNAL_SERVER_ERROR',
  'KEY_MISSING',
  'KEY_INVALID',
  'OK',
  'SUCCESS',
  'NO_DATA',
  'QR_FAIL',
  'NO_REFUND',
  'REFUND_CONDITION',
  'REFUND_SUCCESS',
  'REFUND_INACTIVE',
  'REFUND_MINIMUM',
  'NO_BANK',
  'NO_WALLET',
  'TRANSFER_MINIMUM',
  'TRANSFER_MAXIMUM',
  'MONEY_NOT_ENOUGH',
  'TRANSFER_FAIL',
  'SLIP_UPLOAD_FAIL',
  'SLIP_NO_FILE',
  'SLIP_INVALID_FILE',
  'CHAT_FILE_UNSUPPORTED',
  'CHAT_FILE_TOO_LARGE',
  'CHAT_FILES_FULL',
  'STORAGE_FULL',
  'TRUELINK_DUPLICATE',
  'TRUELINK_INVALID',
  'NO_CLAIMABLE_COUPON',
  'INVALID_PRIZE_CODE',
  'INVALID_CODE',
  'INVALID_COUPON_TYPE',
  'COUPON_EXPIRED',
  'WITHDRAW_MINIMUM',
  'WITHDRAW_MAXIMUM',
  'BONUS_DEPOSIT_REQUIRED',
  'NOT_ENOUGH_COIN',
  'SPINWHEEL_INACTIVE',
  'PROVIDER_UNAVAILABLE',
  'LIMIT_REACHED',
  'SELF_EXCLUDED',
  'INVALID_REQUEST',
  'IDEMPOTENCY_CONFLICT',
  ...SLIP_REASONS,
] as const;

/**
 * Codes that only operators meet, in the console. Their texts are the console's.
 * ROW_CHANGED, CLAIMED and APPROVAL_PENDING carry in `data` what is now the case: state, by whom, or which request;
 * WALLET_SHORT how much is there, PAYOUT_UNSURE what the bank says. INACTIVE_USER names in `data` the member it is about;
 * without one it is the operator's own account.
 */
export const OPERATOR_CODES = [
  'ROW_CHANGED',
  'NOT_CLAIMED',
  'CLAIMED',
  'ACCOUNT_COOLING',
  'APPROVAL_PENDING',
  'APPROVAL_MAKER',
  'APPROVAL_LAPSED',
  'WALLET_SHORT',
  'PAYOUT_UNSURE',
  'EXISTING_OPERATOR',
  'ENROLMENT_INVALID',
  'WEBHOOK_URL',
  'TOO_MANY_WEBHOOKS',
  'KEY_NAME_TAKEN',
  'TOO_MANY_KEYS',
  'EXISTING_GAME',
  'OPERATOR_LIMIT',
  'ROLE_IN_USE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number] | (typeof OPERATOR_CODES)[number];

/** The four identity codes share one text and one reaction: the member logs in again. */
export const IDENTITY_CODES = [
  'INVALID_USER_1',
  'INVALID_USER_2',
  'INVALID_USER_3',
  'INVALID_USER_4',
] as const;

/** What every refusal looks like on the wire; `data` carries figures such as a minimum. */
export interface ErrorBody {
  message: string;
  data?: Record<string, unknown>;
}
