/**
 * What of a sheet has the focus, given with the first drawing; the sheet's own trap follows a moment later, and what a
 * quick hand typed until then would be lost.
 */
export const FOCUSED = { autoFocus: true, 'data-autofocus': true };
