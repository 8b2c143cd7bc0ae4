/** What others may ask of members as operators see them. */
export { listMemberFlags } from './flags.ts';
export { commandLineEntryItem } from './ledger.ts';
export { accountFingerprints } from './members.ts';
export { listNotes, lockMember, writeStatus } from './queries.ts';
