/** The identity check of a member (know your customer, KYC): its states, documents and reasons. */

/**
 * REQUESTED: the member is to send pictures of documents. SUBMITTED: all have come and wait for an operator. REFUSED:
 * the member is to send some again. A member without a check has no state.
 */
export const KYC_STATES = ['REQUESTED', 'SUBMITTED', 'VERIFIED', 'REFUSED'] as const;
/** The same for lists of members; NONE: without a check. */
export const KYC_FILTERS = ['NONE', ...KYC_STATES] as const;
export type KycState = (typeof KYC_STATES)[number];

/** Identity card or passport; the member's face beside it; first page of the bank book; proof of the address. */
export const KYC_DOCUMENTS = ['identity', 'selfie', 'bankBook', 'address'] as const;
export type KycDocument = (typeof KYC_DOCUMENTS)[number];

/** What members send who are verified without a request. */
export const KYC_OWN_DOCUMENTS: readonly KycDocument[] = ['identity', 'selfie'];

/** Why documents are to be sent again, as the member reads it. */
export const KYC_REFUSALS = ['UNREADABLE', 'INCOMPLETE', 'EXPIRED', 'NAME', 'WRONG_DOCUMENT'] as const;
export type KycRefusal = (typeof KYC_REFUSALS)[number];

/** Megabytes of one picture. */
export const KYC_MEGABYTES_MAX = 10;
