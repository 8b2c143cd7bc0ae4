/** What others may ask of talks. */
export { countWaiting as countWaitingChats } from './operator-queries.ts';
