/** What others may ask of conversations. */
export { countWaiting as countWaitingChats } from './operator-queries.ts';
