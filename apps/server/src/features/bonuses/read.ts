/** What others may ask of bonuses. */
export { BadTerms, columnsOf, readTerms } from './programme.ts';
export { hasActiveRun, isBarred, saveBonus } from './queries.ts';
