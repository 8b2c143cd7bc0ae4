import { parseSlipCode } from '@krapao/contract/shared';
import type { PaymentInquiry } from '../bank/bank.ts';
import type { SlipChecker } from './slip-checker.ts';

/**
 * Asks our own bank about a slip. It knows the bills that were paid to us, and of other transfers nothing, so it never
 * says no. `accountNo` is ours behind the biller id.
 */
export function bankInquiry(bank: PaymentInquiry, accountNo: () => Promise<string | null>): SlipChecker {
  return {
    async check(code) {
      const slip = parseSlipCode(code);
      if (typeof slip === 'string' || slip.kind !== 'bank')
        return { outcome: 'unknown', note: 'no bank slip' };
      const response = await bank.paymentBy(slip.transRef);
      if (response.outcome === 'unknown') return response;
      const account = await accountNo();
      if (response.outcome === 'rejected' || !account)
        return { outcome: 'unknown', note: 'no bill paid to us' };
      const { bankReference, amountMinor, payerBank, payerAccount, payerName, reference1, paidAt } =
        response.value;
      if (payerBank !== slip.sendingBank) return { outcome: 'unknown', note: 'another sending bank' };
      return {
        outcome: 'ok',
        value: {
          sendingBank: payerBank,
          transRef: bankReference,
          amountMinor,
          paidAt,
          sender: { bank: payerBank, account: payerAccount, name: payerName },
          receiver: { bank: bank.code, account, name: '' },
          reference1,
        },
      };
    },
  };
}

/** Asks the second when the first says nothing certain; what the first knows, and its no, stand. */
export function requestedInTurn(first: SlipChecker, second: SlipChecker): SlipChecker {
  return {
    async check(code) {
      const response = await first.check(code);
      if (response.outcome === 'ok' || response.outcome === 'rejected') return response;
      const other = await second.check(code);
      return other.outcome === 'ok' ? other : response;
    },
  };
}
