/** A request that carries an idempotency key: the same key and body are one intent, however often they arrive. */
export interface Intent {
  memberId: bigint;
  call: string;
  key: string;
  bodyHash: string;
}
