/** What others may ask of deposits. */

export { sumDeposited } from './desk-queries.ts';
export { bankTransactionUse } from './matching/bank-transaction-use.ts';
export { compareAccounts, maskAccount } from './matching/masks.ts';
export { acceptSlip, askSlipAgain, refuseSlip } from './slips/decisions.ts';
export { countReviewed } from './slips/desk-queries.ts';
export { listReviewed } from './slips/queries.ts';
