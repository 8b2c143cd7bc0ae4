import { laoQrWithAmount } from '@krapao/contract/shared';
import type { QrOffer } from '../qr-maker.ts';

/** Lao banks whose static merchant codes are known to follow the national layout. */
export const LAO_QR_BANKS = ['BCEL', 'LDB', 'JDB', 'STB', 'IB'] as const;

/**
 * QRs of a Lao bank, made by putting the amount into the static merchant code that operators have entered; no partner
 * is asked. Such a code carries no reference of ours: what is paid is known by the account's statement, its sender and
 * its amount.
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
