import { laoQrWithAmount } from '@krapao/contract/shared';
import type { QrOffer } from '../qr-maker.ts';

/** Lao banks whose static merchant codes are known to follow the national layout. */
export const LAO_QR_BANKS = ['BCEL', 'LDB', 'JDB', 'STB', 'IB'] as const;

/**
 * Creates QRs of a Lao bank by adding the amount to the static merchant code that operators have entered, without a
 * call to a partner. Such a code has no reference of ours: payments are matched by the account's statement, sender
 * and amount.
 */
export function laoQr(code: string, readStatic: () => Promise<string | null>): QrOffer {
  return {
    code,
    currency: 'LAK',
    minimum: 'qr.minimum',
    async createQr({ amountMinor }) {
      const made = laoQrWithAmount((await readStatic()) ?? '', amountMinor);
      return made ? { outcome: 'ok', value: made } : { outcome: 'rejected', code: 'NO_STATIC_QR' };
    },
  };
}
