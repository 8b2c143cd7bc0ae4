/** The interface of identity checks for other features. */

export { countSubmitted, readProven } from './queries.ts';
