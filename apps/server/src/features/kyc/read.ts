/** The interface of identity checks for other features. */

export { countSubmitted } from './queries.ts';
export { verifyFromMinor } from './threshold.ts';
