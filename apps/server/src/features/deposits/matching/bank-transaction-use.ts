/**
 * The ledger's reference for using an unmatched transaction up: crediting and returning it share this reference, so
 * only the first takes effect. A transaction that was taken back from a member can be used once more.
 */
export const bankTransactionUse = (transaction: { id: bigint | string; reversals: number }): string =>
  transaction.reversals === 0
    ? `line:${transaction.id}:use`
    : `line:${transaction.id}:use:${transaction.reversals}`;

/** A transfer and a manual credit that may be of the same money are never in one batch. */
export const creditTurn = (memberId: bigint, amountMinor: bigint): string =>
  `credit ${memberId} ${amountMinor}`;
