/** What others may ask of bonuses. */
export { hasActiveRun, isBarred } from './queries.ts';
