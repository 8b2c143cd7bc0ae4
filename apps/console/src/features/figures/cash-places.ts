import type { Permission } from '@krapao/contract/operator';
import type { Path } from '../../platform/paths.ts';

/** The filters of a list for one day. */
export const ofDay = (day: string, rest: Record<string, string> = {}) =>
  new URLSearchParams({ ...rest, from: day, to: day });

/** Where the rows behind single figures of the report of cash are listed, and the permission for that page. */
export const CASH_PLACES: Record<
  'deposits' | 'withdrawals',
  { permission: Permission; path: (day: string) => Path }
> = {
  deposits: { permission: 'deposit.read', path: (day) => `/deposits?${ofDay(day)}` },
  withdrawals: {
    permission: 'withdrawal.read',
    path: (day) => `/withdrawals?${new URLSearchParams({ status: 'SUCCESS', paid: day, sort: 'createdAt' })}`,
  },
};
