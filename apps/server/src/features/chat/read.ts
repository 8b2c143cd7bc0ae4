/** What others may ask of conversations. */
export { countWaiting as countWaitingChats, findConversationOf } from './operator-queries.ts';
