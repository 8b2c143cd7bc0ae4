/** What the wheel asks of coupons. */
export type { PrizeColumns } from './prize-queries.ts';
export { columnsOf, keepPrize, prizeOf, requireTexts } from './prizes.ts';
