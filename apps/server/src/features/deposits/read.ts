/** What others may ask of deposits. */

export { bankTransactionUse } from './bank-transaction-use.ts';
export { sumDeposited } from './desk-queries.ts';
export { compareAccounts, maskAccount } from './masks.ts';
export { acceptSlip, askSlipAgain, refuseSlip } from './slip-desk.ts';
export { listReviewed } from './slip-queries.ts';
export { countReviewed } from './slip-room-queries.ts';
