import type { MemberApi } from '@krapao/contract/member';
import { depositRange, rangeProblem } from '../../platform/member/amount-range.ts';

export type DepositLookup = MemberApi['GET /api/lookup/deposit']['reply'];
export type DepositBank = DepositLookup['banks'][number];

/** One bank may offer several modes: the pair names a channel. */
export const channelKey = ({ bankCode, mode }: DepositBank): string => `${bankCode}-${mode}`;

export type DepositWallet = DepositLookup['wallets'][number] & { walletAccountNo: string };

/** Wallets of ours that are sent to from one's own. */
export const sendWallets = ({ wallets }: DepositLookup): DepositWallet[] =>
  wallets.flatMap((wallet) =>
    wallet.mode === 'AUTO' && wallet.walletAccountNo !== null
      ? [{ ...wallet, walletAccountNo: wallet.walletAccountNo }]
      : [],
  );

/** Names a wallet to send to among the channels. */
export const walletKey = ({ walletAccountNo }: DepositWallet): string => `wallet-${walletAccountNo}`;

/** Whether a channel is an account or a wallet of ours to send to. */
export const isSentTo = (channel: string): boolean =>
  channel.endsWith('-AUTO') || channel.startsWith('wallet-');

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

/** Names the list of all channels, also for a member who usually takes one of them. */
export const ALL_KEY = 'all';

type Recent = NonNullable<DepositLookup['recent']>[number];

/** The channel of an earlier deposit, if it is offered now. */
export function keyOfRecent(lookup: DepositLookup, { bankCode, mode }: Recent): string | undefined {
  if (mode === 'LINK') return takesGifts(lookup) ? GIFT_KEY : undefined;
  const bank = lookup.banks.find((one) => one.bankCode === bankCode && one.mode === mode);
  if (bank) return channelKey(bank);
  const wallet = bankCode === 'TRUEMONEY' ? sendWallets(lookup)[0] : undefined;
  return wallet && walletKey(wallet);
}

/** From how many deposits in a row by one channel it is the member's usual one. */
const USUAL_COUNT = 3;

/** The channel of the member's last three deposits. */
export function usualChannel(lookup: DepositLookup): string | undefined {
  const keys = (lookup.recent ?? []).map((one) => keyOfRecent(lookup, one));
  return keys.length >= USUAL_COUNT && new Set(keys).size === 1 ? keys[0] : undefined;
}

/** The sum last paid by QR at a bank; null: none of late. */
export const lastSum = ({ recent = [] }: DepositLookup, { bankCode, mode }: DepositBank): number | null =>
  recent.find((one) => one.bankCode === bankCode && one.mode === mode)?.amount ?? null;

/** Whether a QR of the last sum can be made again as things stand now. */
export const mayRepeat = (lookup: DepositLookup, bank: DepositBank, { amount }: Recent): boolean =>
  bank.mode === 'QR' && rangeProblem(amount, depositRange(bank, lookup)) === null;

const SLIP = 'slip';
const REPORT = 'report';

/** Whether a transfer to this account has a slip that can be handed in: only Thai banks put a code on theirs. */
export const takesSlips = ({ mode, bankType, currency }: DepositBank): boolean =>
  mode === 'AUTO' && bankType === 'BANK' && currency === 'BAHT';

/** Names the slip upload among the steps; with a bank for a transfer to that account. */
export const slipKey = (bank?: DepositBank): string => (bank ? `${SLIP}:${channelKey(bank)}` : SLIP);

/** Names the report of a transfer; with a bank for one to that account. */
export const reportKey = (bank?: DepositBank): string => (bank ? `${REPORT}:${channelKey(bank)}` : REPORT);

/** A step and the channel it is about, out of the sheet's argument; an empty channel: none is chosen. */
export function stepOf(arg: string | undefined): { step: 'channel' | 'slip' | 'report'; channel: string } {
  const [head = '', tail] = (arg ?? '').split(':');
  if (head === SLIP || head === REPORT) return { step: head, channel: tail ?? '' };
  return { step: 'channel', channel: head };
}
