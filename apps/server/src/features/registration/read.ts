/** What others may ask of members' bank accounts. */
export { accountChangeState, payoutsFrom } from './account-change.ts';
