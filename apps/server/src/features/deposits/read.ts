/** Functions of deposits for other features. */

export { placeChannel } from './accounts/accounts.ts';
export { listChannels } from './accounts/queries.ts';
export { bankTransactionUse, walletTurn } from './matching/bank-transaction-use.ts';
export { digitFingerprints } from './matching/digits.ts';
export { maskAccount, nameWords, shownDigits } from './matching/masks.ts';
export { findBankTransactionByReference } from './matching/queries.ts';
export { sumDeposited } from './operator-queries.ts';
export { hasOpenReport } from './payment-reports/queries.ts';
export { goneGateways } from './qr/gone-gateways.ts';
export { qrMaximum } from './qr/qr.ts';
export { findOpenQrBank } from './qr/queries.ts';
export { readRecent } from './recent.ts';
export { acceptSlip, recheckSlip, refuseSlip } from './slips/decisions.ts';
export { countReviewed } from './slips/operator-queries.ts';
export { listReviewed } from './slips/queries.ts';
