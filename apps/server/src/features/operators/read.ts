/** What others may ask of operators' accounts. */
export { findOperator, findRole, finishEnrolment, insertOperator } from './queries.ts';
export { currentCode, otpauthAddress } from './second-factor.ts';
export { newEnrolment } from './team.ts';
