import type { RefusalKind } from '../refusal.ts';

const STATUSES: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
};

/** Returns the HTTP status of a refusal. Clients read the code. */
export const statusOf = ({ kind }: { kind: RefusalKind }): number => STATUSES[kind];
