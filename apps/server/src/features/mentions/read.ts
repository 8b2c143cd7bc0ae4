/** What others may ask of mentions. */
export { recordMentions } from './record.ts';
