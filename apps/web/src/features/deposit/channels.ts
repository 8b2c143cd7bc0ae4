import type { MemberApi } from '@krapao/contract/member';

export type DepositLookup = MemberApi['GET /api/lookup/deposit']['reply'];
export type DepositBank = DepositLookup['banks'][number];

/** One bank may offer several modes: the pair names a channel. */
export const channelKey = ({ bankCode, mode }: DepositBank): string => `${bankCode}-${mode}`;

/** Names the gift link among the channels. */
export const GIFT_KEY = 'gift-LINK';

/** Whether gift links are taken. */
export const takesGifts = ({ wallets }: DepositLookup): boolean =>
  wallets.some(({ mode }) => mode === 'LINK');

/** Channels in the order of the chooser: QR first, then transfers to an account. */
export function channelGroups({ banks }: DepositLookup): { qr: DepositBank[]; account: DepositBank[] } {
  return {
    qr: banks.filter(({ mode }) => mode === 'QR'),
    account: banks.filter(({ mode }) => mode === 'AUTO'),
  };
}
