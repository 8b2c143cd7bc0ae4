/** The notifier of a payment: the differences between the bank's confirmation and a gateway's callback. */
import type { Party } from '../environment/state.ts';

export interface Notifier {
  party: Party;
  /** What faults and the log call the notice. */
  call: string;
  url: string;
  /** Header that carries the signature. */
  header: string;
  secret: string;
  /** The notice about the payment as if this amount had arrived. */
  body(amountMinor: bigint): object;
  isAcknowledged(reply: Record<string, unknown>): boolean;
}
