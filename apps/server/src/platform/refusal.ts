import { ERROR_CODES, type ErrorCode, OPERATOR_CODES } from '@krapao/contract/shared';

const STATUS: Partial<Record<ErrorCode, number>> = {
  'invalid-token': 401,
  INVALID_USER_1: 401,
  INVALID_USER_2: 401,
  INVALID_USER_3: 401,
  INVALID_USER_4: 401,
  EXPIRED_AUTH_TOKEN: 401,
  WRONG_CREDENTIAL: 401,
  KEY_MISSING: 401,
  KEY_INVALID: 401,
  UNAUTHORIZED: 403,
  INACTIVE_USER: 403,
  INVALID_IP: 403,
  APPROVAL_MAKER: 403,
  ACCOUNT_COOLING: 409,
  ROW_CHANGED: 409,
  NOT_CLAIMED: 409,
  CLAIMED: 409,
  APPROVAL_PENDING: 409,
  APPROVAL_LAPSED: 409,
  EXISTING_OPERATOR: 409,
  WALLET_SHORT: 409,
  PAYOUT_UNSURE: 409,
  NO_DATA: 404,
  IDEMPOTENCY_CONFLICT: 409,
  gone: 410,
  OTP_BLOCK: 429,
  REQUEST_LIMIT: 429,
  REQUEST_LIMIT_1MIN: 429,
  INTERNAL_SERVER_ERROR: 500,
  PROVIDER_UNAVAILABLE: 503,
  GAME_ACTIVATION_FAIL: 503,
};

/** The HTTP status a code is answered with; 400 unless listed. Clients read the code. */
export const statusOf = (code: string): number => STATUS[code as ErrorCode] ?? 400;

const PUBLIC_CODES: ReadonlySet<string> = new Set([...ERROR_CODES, ...OPERATOR_CODES]);

/**
 * A no with a public code. `note` goes to the log only. Throws TypeError for a word that is not in the catalogue: an
 * internal code never reaches a client.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;
  readonly status: number;
  constructor(code: ErrorCode, data?: Record<string, unknown>, note?: string, status = statusOf(code)) {
    super(note ?? code);
    if (!PUBLIC_CODES.has(code)) throw new TypeError(`not a public code: ${code}`);
    this.code = code;
    this.data = data;
    this.status = status;
  }

  get body(): { message: ErrorCode; data?: Record<string, unknown> } {
    return this.data === undefined ? { message: this.code } : { message: this.code, data: this.data };
  }
}
