/** What the wheel asks of coupons. */
export type { PrizeColumns } from './prize-queries.ts';
export { columnsOf, keepPrize, type Prize, prizeOf, requireWords, type Words } from './prizes.ts';
