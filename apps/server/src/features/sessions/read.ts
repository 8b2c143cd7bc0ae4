/** What others may ask of sessions. */
export { deviceOf } from './device.ts';
export { endAllSessions } from './queries.ts';
export { requireOwnPassword, type SessionDeps } from './sessions.ts';
