/** What others may ask of sessions. */
export { endAllSessions } from './queries.ts';
