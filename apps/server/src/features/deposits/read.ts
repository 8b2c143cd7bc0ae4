/** What others may ask of deposits. */
export { sumDeposited } from './desk-queries.ts';
