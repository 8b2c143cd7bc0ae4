import type { PartnerResponse, PayoutNews } from '../../outside/index.ts';

/**
 * What a bank's response proves about a payout, in our terms. `refused`: an error with a code of the list of refusals.
 * `duplicate`: our reference was used before. `unclear`: silence, a cut connection, 429, 5xx, an error with another code, an
 * answer out of shape or about another reference or amount.
 */
export const PAYOUT_RESPONSES = [
  'paid',
  'accepted',
  'rejected',
  'refused',
  'duplicate',
  'absent',
  'unclear',
] as const;
export type PayoutResponse = (typeof PAYOUT_RESPONSES)[number];

/** The consequence of a response. `check`: nothing is booked and the bank's status is requested again. */
export type PayoutDecision = 'pay' | 'release' | 'order' | 'check' | 'alert';

/**
 * The moments at which a bank answers. The grace (`unknown.absentGraceSeconds`) begins when the call of the order sent
 * last has ended, or must have.
 */
export type PayoutMoment = keyof typeof PAYOUT_DECISIONS;

const CHECK = {
  paid: 'pay',
  accepted: 'check',
  rejected: 'release',
  refused: 'check',
  duplicate: 'check',
  absent: 'check',
  unclear: 'check',
} as const satisfies Record<PayoutResponse, PayoutDecision>;

/**
 * The contract with a bank that pays out: what each answer means at each moment. A refusal ends a payout only as the
 * answer to the first order while no other was sent, because no order can be under way then; later only the status
 * proves anything. The first order is late when it was sent again, or the bank has stated that it accepted it, before
 * its answer arrives. docs/adapters.md prints this table.
 */
export const PAYOUT_DECISIONS = {
  'first order': { ...CHECK, refused: 'release' },
  'late first order': { ...CHECK, rejected: 'check' },
  'repeated order': { ...CHECK, rejected: 'check' },
  'status within the grace': CHECK,
  'status after the grace': { ...CHECK, absent: 'order' },
  'status after the grace of a refused repeat': { ...CHECK, absent: 'release' },
  'status after the grace of a duplicate': CHECK,
  'status after release': { ...CHECK, paid: 'alert', accepted: 'alert', rejected: 'check' },
} as const satisfies Record<string, Record<PayoutResponse, PayoutDecision>>;

/** What the bank's response proves about a payout of `amountMinor`. */
export function payoutResponse(response: PartnerResponse<PayoutNews>, amountMinor: bigint): PayoutResponse {
  if (response.outcome === 'unknown') return 'unclear';
  if (response.outcome === 'rejected')
    return response.code === 'ABSENT' ? 'absent' : response.code === 'DUPLICATE' ? 'duplicate' : 'refused';
  if (response.value.amountMinor !== amountMinor) return 'unclear';
  return ({ PAID: 'paid', ACCEPTED: 'accepted', REJECTED: 'rejected' } as const)[response.value.state];
}

/** At which moment a status arrives for a payout that is not over. `refusedCode` is that of the order sent last. */
export function statusMoment(isGraceOver: boolean, refusedCode: string | null): PayoutMoment {
  if (!isGraceOver) return 'status within the grace';
  if (refusedCode === 'DUPLICATE') return 'status after the grace of a duplicate';
  return refusedCode === null ? 'status after the grace' : 'status after the grace of a refused repeat';
}
