import type { PartnerResponse } from '../../outside/index.ts';

/**
 * What a provider's response proves about a transfer. `done`: moved with our amount. `refused`: an error with a
 * code of the list of refusals. `duplicate`: our reference was used before. `unclear`: silence, a cut connection, 429, 5xx, an
 * error with another code, an answer out of shape or about another reference or amount.
 */
export const TRANSFER_RESPONSES = ['done', 'refused', 'duplicate', 'absent', 'unclear'] as const;
export type TransferResponse = (typeof TRANSFER_RESPONSES)[number];

/** The consequence of a response. `check`: nothing is booked and the provider's status is requested again. */
export type TransferDecision = 'book' | 'release' | 'check' | 'alert';

const CHECK = {
  done: 'book',
  refused: 'check',
  duplicate: 'check',
  absent: 'check',
  unclear: 'check',
} as const satisfies Record<TransferResponse, TransferDecision>;

/**
 * The contract with a game provider: what each answer about a transfer means at each moment. An order is sent once. The
 * grace (`unknown.absentGraceSeconds`) begins when its call must have ended. docs/adapters.md prints this table.
 */
export const TRANSFER_DECISIONS = {
  order: { ...CHECK, refused: 'release' },
  'status within the grace': CHECK,
  'status after the grace': { ...CHECK, absent: 'release' },
  'status after release': { ...CHECK, done: 'alert' },
} as const satisfies Record<string, Record<TransferResponse, TransferDecision>>;

/** Classifies the provider's response about a transfer of `credits` (positive: into the game). */
export function transferResponse(
  response: PartnerResponse<{ credits: bigint }>,
  credits: bigint,
): TransferResponse {
  if (response.outcome === 'unknown') return 'unclear';
  if (response.outcome === 'ok') return response.value.credits === credits ? 'done' : 'unclear';
  return response.code === 'ABSENT' ? 'absent' : response.code === 'DUPLICATE' ? 'duplicate' : 'refused';
}
