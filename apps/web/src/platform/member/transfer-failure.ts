/**
 * The text on where the money is after a transfer that failed: what leaves a game stays there unless the next game
 * refuses it.
 */
export function transferFailure(
  from: string,
  to: string,
): 'error.TRANSFER_FAIL' | 'transfer.failedStays' | 'transfer.failedEither' {
  if (from === 'wallet') return 'error.TRANSFER_FAIL';
  return to === 'wallet' ? 'transfer.failedStays' : 'transfer.failedEither';
}
