/** What other features may use of members' profiles. */
export { payoutsFrom } from './account-change.ts';
export { readBankAccountView } from './profile.ts';
