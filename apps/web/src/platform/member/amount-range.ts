import { costUp, creditsCovering, creditsFor, roundToProvider, valueDown } from '@krapao/contract/credits';
import type { MemberApi } from '@krapao/contract/member';
import { CURRENCY_DECIMALS, type Currency } from '@krapao/contract/shared';
import type { Slot, WalletReply } from './wallet-merge.ts';

/**
 * The amounts a form may send, in the member's currency, both ends included: what it offers, accepts and advises comes
 * from here. The server decides again.
 */
export interface AmountRange {
  least: number;
  most: number;
  /** What sets the upper end: the available money, a setting of the operators, or a limit the member has set. */
  bound: 'balance' | 'rule' | 'limit';
}

/** What is wrong with an amount and how far it is off; null when it may be sent. */
export function rangeProblem(
  amount: number,
  { least, most }: Pick<AmountRange, 'least' | 'most'>,
): { side: 'low' | 'high'; off: number } | null {
  if (amount < least) return { side: 'low', off: round(least - amount) };
  return amount > most ? { side: 'high', off: round(amount - most) } : null;
}

/** Whether any amount may be sent at all. */
export const isOpenRange = ({ least, most }: AmountRange): boolean => most >= least;

/** Amounts to offer at one tap: the last one used first, and none that would be refused. */
export function offeredAmounts(
  quick: readonly number[],
  last: number | null | undefined,
  { least, most }: AmountRange,
): number[] {
  const all = last ? [last, ...quick.filter((amount) => amount !== last)] : quick;
  return all.filter((amount) => amount >= least && amount <= most);
}

const round = (amount: number): number => Math.round(amount * 100) / 100;

const scaleOf = (currency: Currency): number => 10 ** CURRENCY_DECIMALS[currency];

const toMinor = (amount: number, currency: Currency): bigint =>
  BigInt(Math.round(amount * scaleOf(currency)));

/** A game's figures as credits are reckoned with: hundredths, millionths, and the provider's decimals. */
const partsOf = ({ amount, ftWalletSlot, creditStep = 0.01 }: Slot) => ({
  credits: BigInt(Math.round(amount * 100)),
  rateMicro: BigInt(Math.round(ftWalletSlot * 1_000_000)),
  decimals: Math.round(-Math.log10(creditStep)),
});

/** What can be moved out of a game: the whole credits that its provider moves, rounded down to a minor unit. */
export function movableOut(slot: Slot, currency: Currency): number {
  const { credits, rateMicro, decimals } = partsOf(slot);
  return Number(valueDown(roundToProvider(credits, decimals), rateMicro, currency)) / scaleOf(currency);
}

/** Credits an amount buys in a game, in the steps its provider takes. */
export function creditsBought(slot: Slot, amount: number, currency: Currency): number {
  const { rateMicro, decimals } = partsOf(slot);
  return Number(creditsFor(toMinor(amount, currency), rateMicro, currency, decimals)) / 100;
}

/** What a payout may be for: up to the wallet and all games that answer, which are moved into it as needed. */
export function withdrawRange(
  { wallet, slots }: WalletReply,
  { withdrawMin, withdrawMax }: MemberApi['GET /api/lookup/withdraw']['reply'],
): AmountRange & { available: number } {
  const games = slots
    .filter(({ isActive, staleSince }) => isActive && staleSince === null)
    .reduce((sum, slot) => sum + movableOut(slot, wallet.currency), 0);
  const available = round(wallet.amount + games);
  const isShort = available < withdrawMax;
  return {
    available,
    least: withdrawMin,
    most: isShort ? available : withdrawMax,
    bound: isShort ? 'balance' : 'rule',
  };
}

/**
 * What may be moved between two places, null for the wallet: whole credits of what the source holds, at least one unit of
 * the currency and what the destination takes. All that a game holds may go to the wallet, however little.
 */
export function transferRange({ wallet }: WalletReply, from: Slot | null, to: Slot | null): AmountRange {
  const { currency } = wallet;
  const arriving = to ? Math.max(1, to.leastIn ?? 0) : 1 / scaleOf(currency);
  if (!from) return { least: Math.max(1, arriving), most: wallet.amount, bound: 'balance' };
  const { rateMicro, decimals } = partsOf(from);
  const credits = creditsCovering(toMinor(arriving, currency), rateMicro, currency, decimals);
  const least = Math.max(1, Number(costUp(credits, rateMicro, currency)) / scaleOf(currency));
  const most = movableOut(from, currency);
  const isAll = !to && most > 0 && most < least;
  return { least: isAll ? most : least, most, bound: 'balance' };
}

/** Sums that are moved into games at one tap. */
export const TRANSFER_QUICK = {
  BAHT: [100, 500, 1000, 2000],
  LAK: [50_000, 100_000, 500_000, 1_000_000],
} as const;

type Lookup = MemberApi['GET /api/lookup/deposit']['reply'];

/** What a QR may be for: the bank's least and most, and what the member's own deposit limits leave. */
export function depositRange(
  { minimum, maximum }: Pick<Lookup['banks'][number], 'minimum' | 'maximum'>,
  { left }: Pick<Lookup, 'left'>,
): AmountRange {
  const least = Math.max(1, minimum ?? 1);
  const rule = maximum ?? Number.POSITIVE_INFINITY;
  const isLimited = left != null && left < rule;
  return { least, most: isLimited ? left : rule, bound: isLimited ? 'limit' : 'rule' };
}
