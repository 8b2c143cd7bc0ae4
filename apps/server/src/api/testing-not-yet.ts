import type { ERROR_CODES } from '@krapao/contract/shared';

/** What only programs that are not open yet will answer. A code whose call exists leaves this list. */
export const NOT_YET: readonly (typeof ERROR_CODES)[number][] = ['INVALID_USER_3', 'OTP_VERIFY_FAIL'];
