/** What others may ask of bank lines without an owner. */
export { countWaiting as countUnmatched } from './queries.ts';
