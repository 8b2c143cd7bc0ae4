import { parseSlipCode } from '@krapao/contract/shared';
import type { PaymentInquiry } from '../bank/bank.ts';
import type { SlipChecker } from './slip-checker.ts';

/**
 * Queries our own bank about a slip. It knows the bills paid to us and no other transfers, so it never
 * refuses a slip. `accountNo` is ours behind the biller id.
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

/** Queries the second when the first is uncertain; a definite result of the first is final. */
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
