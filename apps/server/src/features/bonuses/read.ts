/** The interface of bonuses for other features. */
export { type BonusDeps, type Holder, keysOf } from './deps.ts';
export { grantRun } from './grant.ts';
export { hasActiveRun, requireGames, saveBonus } from './queries.ts';
export { BadTerms, columnsOf, readTerms } from './terms-rows.ts';
