/** The interface of members, as operators see them, for other features. */

export { accountFingerprints, accountView, visibleDigits } from './account-clues.ts';
export { findById, findByPhoneOrId, listByPhoneOrId, type MeantMember } from './by-phone-or-id.ts';
export { listCandidates } from './candidates.ts';
export { listMemberFlags } from './flags.ts';
export { commandLineEntryItem } from './ledger.ts';
export { findCurrency, listNotes, listOpenItems, lockMember, writeStatus } from './queries.ts';
