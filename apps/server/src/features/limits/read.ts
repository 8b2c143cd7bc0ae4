/** What deposits and games ask before they offer anything. */
export { type LimitCode, requireMayDeposit, requireMayPlay, reserveOffer } from './policy.ts';
export { dropOffer, findExclusion, listLimits } from './queries.ts';
