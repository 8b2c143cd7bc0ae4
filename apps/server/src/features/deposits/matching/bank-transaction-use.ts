/**
 * The ledger's reference for using an unmatched transaction up: crediting and returning it share this reference, so
 * only the first takes effect. A transaction that was taken back from a member can be used once more.
 */
export const bankTransactionUse = (transaction: { id: bigint | string; reversals: number }): string =>
  transaction.reversals === 0
    ? `line:${transaction.id}:use`
    : `line:${transaction.id}:use:${transaction.reversals}`;

/** The exclusive key that keeps a transfer and a manual credit of the same member and amount out of one ledger batch. */
export const creditTurn = (memberId: bigint, amountMinor: bigint): string =>
  `credit ${memberId} ${amountMinor}`;
