/** The interface of mentions for other features. */
export { recordMentions } from './record.ts';
