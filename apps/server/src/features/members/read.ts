/** What others may ask of members as operators see them. */
export { isRisky } from './flags.ts';
export { commandLineEntryItem } from './ledger.ts';
export { accountFingerprints } from './members.ts';
export { lockMember, writeStatus } from './queries.ts';
