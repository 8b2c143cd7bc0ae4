/** What others may ask of operators' accounts. */
export { newEnrolment } from './enrolment.ts';
export { findOperator, findRole, finishEnrolment, insertOperator } from './queries.ts';
export { currentCode, otpauthAddress } from './second-factor.ts';
