import { sql } from '../../platform/database/db.ts';

/** The interface of withdrawals for other features. */

export { readAutomaticMax } from './automatic.ts';
export { approveWithdrawal, concludeDecision, rejectWithdrawal } from './decisions.ts';
export type { UnplayedFinding } from './ledger.ts';
export { countWaiting as countWithdrawals, sumPaid } from './operator-queries.ts';
export { findWithdrawal, hasOpenWithdrawal, lastPaid } from './queries.ts';
export { settleWithdrawal } from './settle.ts';

/** Open withdrawals and their holds must be the same money; for the proof of the books. */
export const WITHDRAWAL_CHECK = {
  name: 'open withdrawals are exactly the open withdrawal holds',
  sql: sql(`select coalesce('withdrawal ' || w.id || ' has no open hold of ' || w.amount, 'hold ' || h.key || ' has no open withdrawal') as detail
    from (select id, amount from withdrawal where status in ('QUEUED', 'REVIEW', 'PROCESSING')) w
    full join (select key, amount from ledger_hold where state = 'OPEN' and key like 'withdrawal:%') h on h.key = 'withdrawal:' || w.id and h.amount = w.amount
    where w.id is null or h.key is null limit 50`),
};
