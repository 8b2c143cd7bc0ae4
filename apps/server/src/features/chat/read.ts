/** The interface of conversations for other features. */
export { countWaiting as countWaitingChats, findConversationOf } from './operator-queries.ts';
