/** The interface of operators' accounts for other features. */
export { endLinksMadeBy, newEnrolment } from './enrolment.ts';
export { revokeKeys } from './key-queries.ts';
export {
  endOperatorSessions,
  findOperator,
  findRole,
  finishEnrolment,
  insertOperator,
  inviteAgain,
  lockOperator,
} from './queries.ts';
export { currentCode, otpauthAddress } from './second-factor.ts';
