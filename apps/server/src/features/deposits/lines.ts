/**
 * The ledger's reference for using an unmatched line up: whoever credits or returns it does so under the same one, so
 * nobody comes second. A line that was taken back from a member can be used once more.
 */
export const lineUse = (line: { id: bigint | string; reversals: number }): string =>
  line.reversals === 0 ? `line:${line.id}:use` : `line:${line.id}:use:${line.reversals}`;
