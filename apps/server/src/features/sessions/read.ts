/** The interface of sessions for other features. */
export { deviceOf } from './device.ts';
export { endAllSessions } from './queries.ts';
export { requireOwnPassword, type SessionDeps } from './sessions.ts';
export { sweepSessions } from './sweep.ts';
