/** The checks of deposits and games before an offer. */
export { type LimitCode, requireMayDeposit, requireMayPlay, reserveOffer } from './policy.ts';
export { dropOffer, findExclusion, listLimits, sweepOffers } from './queries.ts';
