/**
 * The ledger's reference for using an unmatched transaction up: crediting and returning it share this reference, so
 * only the first takes effect. A transaction that was taken back from a member can be used once more.
 */
export const bankTransactionUse = (transaction: { id: bigint | string; reversals: number }): string =>
  transaction.reversals === 0
    ? `line:${transaction.id}:use`
    : `line:${transaction.id}:use:${transaction.reversals}`;

/**
 * The exclusive key that keeps credits and withdrawals of a member out of one ledger batch, so that each guard sees what
 * the earlier one wrote.
 */
export const walletTurn = (memberId: bigint): string => `wallet of ${memberId}`;
