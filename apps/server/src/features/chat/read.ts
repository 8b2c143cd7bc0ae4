/** What others may ask of talks. */
export { countWaiting as countWaitingChats } from './desk-queries.ts';
