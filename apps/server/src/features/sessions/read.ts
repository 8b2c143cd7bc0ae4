/** What others may ask of sessions. */
export { endAllSessions } from './queries.ts';
export { requireOwnPassword, type SessionDeps } from './sessions.ts';
