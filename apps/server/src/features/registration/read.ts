/** What others may ask of members' bank accounts. */
export { accountChangeState } from './account-change.ts';
