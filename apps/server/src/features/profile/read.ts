/** What other features may use of members' profiles. */
export { lapseAccountChange, payoutsFrom } from './account-change.ts';
export { readBankAccountView } from './profile.ts';
