/** The interface of members, as operators see them, for other features. */

export { accountFingerprints, accountView, visibleDigits } from './account-clues.ts';
export { listCandidates } from './candidates.ts';
export { listMemberFlags } from './flags.ts';
export { commandLineEntryItem } from './ledger.ts';
export { findCurrency, listNotes, listOpenItems, lockMember, writeStatus } from './queries.ts';
