/** The interface of coupons for the wheel. */
export type { PrizeColumns } from './prize-queries.ts';
export { columnsOf, keepPrize, prizeOf, requireTexts, termsFacts } from './prizes.ts';
export { countRedeemable } from './queries.ts';
