/**
 * The ledger's reference for using an unmatched transaction up: whoever credits or returns it does so under the same one, so
 * nobody comes second. A transaction that was taken back from a member can be used once more.
 */
export const bankTransactionUse = (transaction: { id: bigint | string; reversals: number }): string =>
  transaction.reversals === 0
    ? `line:${transaction.id}:use`
    : `line:${transaction.id}:use:${transaction.reversals}`;
