import type { ErrorCode } from './codes.ts';

/**
 * Codes whose text sends the member to support. The answer's `data.reference` then names what support can look up, such as
 * "ER-7F3K2QX"; it is missing only past the limits of references.
 */
export const SUPPORT_CODES = [
  'EXISTING_BANK',
  'INACTIVE_USER',
  'INTERNAL_SERVER_ERROR',
  'INVALID_COUPON_TYPE',
  'INVALID_IP',
  'KEY_INVALID',
  'KEY_MISSING',
  'LOGIN_FAIL',
  'NOT_AREASLOT',
  'NOT_UFABET',
  'NO_USER',
  'REGISTER_FAIL',
  'SLIP_UPLOAD_FAIL',
  'SLOT_ACTIVATE_FAIL',
  'UNAUTHORIZED',
] as const satisfies readonly ErrorCode[];

/** Reasons a slip was refused for whose text sends the member to support: the slip's own id is the reference. */
export const SUPPORT_SLIP_REASONS = [
  'ACCOUNT_NOT_MATCH',
  'INVALID_DESTINATION_ACCOUNT',
  'SLIP_EXPIRED',
  'UNKNOWN_ERROR',
] as const satisfies readonly ErrorCode[];
