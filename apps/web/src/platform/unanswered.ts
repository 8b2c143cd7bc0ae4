import { ApiError } from '@krapao/ui/api/api-error.ts';

const FAULT = 500;

/**
 * Whether the server may have done what this call requested: there was no response, or that of a fault. The refusal of a
 * repeat may then mean that the first attempt succeeded.
 */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= FAULT);
