import type { PartnerResponse, PayoutBank, PayoutNews, SlipChecker, SlipFacts } from '../outside/index.ts';

/** A slip checker that reports the transfers it was given. */
export interface BulkSlips extends SlipChecker {
  /** Makes the checker know the transfer behind a code. */
  add(code: string, facts: SlipFacts): void;
}

/** Creates a slip checker without a network. Each transfer is reported once, then forgotten. */
export function bulkSlips(): BulkSlips {
  const known = new Map<string, SlipFacts>();
  return {
    add: (code, facts) => void known.set(code, facts),
    async check(code) {
      const value = known.get(code);
      known.delete(code);
      return value ? { outcome: 'ok', value } : { outcome: 'rejected', reason: 'INVALID_SLIP' };
    },
  };
}

/** A bank that accepts every order and reports it as paid when its state is requested. */
export interface BulkBank extends PayoutBank {
  /** Returns the references that were accepted since the last call. */
  takeAccepted(): string[];
}

/** Creates a bank without a network. */
export function bulkBank(): BulkBank {
  const orders = new Map<string, bigint>();
  let accepted: string[] = [];
  const news = (state: PayoutNews['state'], amountMinor: bigint): PartnerResponse<PayoutNews> => ({
    outcome: 'ok',
    value: { state, amountMinor, reason: null },
  });
  return {
    code: 'KBANK',
    async payout({ reference, amountMinor }) {
      orders.set(reference, amountMinor);
      accepted.push(reference);
      return news('ACCEPTED', amountMinor);
    },
    async payoutState(reference) {
      const amountMinor = orders.get(reference);
      orders.delete(reference);
      return amountMinor === undefined ? { outcome: 'rejected', code: 'ABSENT' } : news('PAID', amountMinor);
    },
    takeAccepted() {
      const taken = accepted;
      accepted = [];
      return taken;
    },
  };
}
