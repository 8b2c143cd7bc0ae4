import type { GiftState, PartnerResponse } from '../../../outside/index.ts';

/**
 * What the gift service's response proves about our share of a voucher. `taken`: our wallet has it. `closed`: there is nothing to
 * take; `closed, proven`: and the complete list of takers lacks our wallet. `unclear`: silence, a cut connection, an error
 * or an answer out of shape.
 */
export const GIFT_RESPONSES = ['taken', 'closed', 'closed, proven', 'open', 'unclear'] as const;
export type GiftResponse = (typeof GIFT_RESPONSES)[number];

/** The consequence of a response. `check`: nothing is booked and the voucher is looked up again. */
export type GiftDecision = 'book' | 'fail' | 'redeem' | 'check' | 'alert';

const CHECK = {
  taken: 'book',
  closed: 'check',
  'closed, proven': 'check',
  open: 'check',
  unclear: 'check',
} as const satisfies Record<GiftResponse, GiftDecision>;

/**
 * The contract with the gift service: what each answer means at each moment. CLOSED ends an attempt only as the answer to
 * the first redemption while no other was sent, because no other can have taken our part then; later only the list of
 * takers proves anything. The first redemption is late when another was sent before its answer arrives. The grace
 * (`unknown.absentGraceSeconds`) begins with the redemption tried last. docs/adapters.md prints this table.
 */
export const GIFT_DECISIONS = {
  'first redemption': { ...CHECK, closed: 'fail', 'closed, proven': 'fail' },
  'late first redemption': CHECK,
  'repeated redemption': CHECK,
  'look within the grace': CHECK,
  'look after the grace': { ...CHECK, 'closed, proven': 'fail', open: 'redeem' },
  'look after failure': { ...CHECK, taken: 'alert' },
} as const satisfies Record<string, Record<GiftResponse, GiftDecision>>;

/** Classifies the service's response about our part of the voucher. */
export function giftResponse(response: PartnerResponse<GiftState>): GiftResponse {
  if (response.outcome !== 'ok') return 'unclear';
  if (response.value.state === 'OURS') return 'taken';
  if (response.value.state === 'OPEN') return 'open';
  return response.value.isProven ? 'closed, proven' : 'closed';
}
