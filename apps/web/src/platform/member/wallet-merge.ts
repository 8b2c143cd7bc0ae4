import { valueDown } from '@krapao/contract/credits';
import type { MemberApi, MemberEvents } from '@krapao/contract/member';
import { CURRENCY_DECIMALS, type Currency } from '@krapao/contract/shared';

export type WalletReply = MemberApi['GET /api/wallet']['reply'];
export type Slot = WalletReply['slots'][number];

/** The name of a game, also of one that is off; undefined for a code that is no game of the member. */
export const gameName = (wallet: WalletReply | undefined, code: string): string | undefined =>
  [...(wallet?.slots ?? []), ...(wallet?.formerGames ?? [])].find((game) => game.code === code)?.name;

/** A reply that is older than what is known keeps the known balance: an event may have overtaken it. */
export function newerWallet(known: WalletReply | undefined, reply: WalletReply): WalletReply {
  if (!known || known.profile._id !== reply.profile._id) return reply;
  return known.wallet.version > reply.wallet.version ? { ...reply, wallet: known.wallet } : reply;
}

/** A pushed balance; an event older than what is known changes nothing. */
export function withEvent(known: WalletReply, event: Parameters<MemberEvents['wallet']>[0]): WalletReply {
  if (event.version <= known.wallet.version) return known;
  const onTheWay = (known.wallet.onTheWay ?? 0) + (event.onTheWay ?? 0);
  return { ...known, wallet: { ...known.wallet, ...event, onTheWay } };
}

/** The balance a money call answered. */
export const withAmount = (known: WalletReply, amount: number): WalletReply => ({
  ...known,
  wallet: { ...known.wallet, amount },
});

/** Game balances as just read; a game without a response retains its old figures, marked old. */
export function withGames(
  known: WalletReply,
  requested: MemberApi['GET /api/wallet/refresh/slot']['reply'],
): WalletReply {
  const reported = new Map(
    requested.slots.map(({ code, ok, staleSince, ...figures }) => [code, { staleSince, ...(ok && figures) }]),
  );
  return {
    ...known,
    slots: known.slots.map((slot) => ({ ...slot, ...reported.get(slot.code) })),
    lastSync: requested.lastSync,
  };
}

/** One game as the server now has it. */
export const withSlot = (known: WalletReply, slot: Slot): WalletReply => ({
  ...known,
  slots: known.slots.map((other) => (other.code === slot.code ? slot : other)),
});

const minorIn = (currency: Currency): number => 10 ** CURRENCY_DECIMALS[currency];

/** What a game's credits are worth in minor units, exactly as the server moves them: rounded down. */
const worthMinor = ({ amount, ftWalletSlot }: Slot, currency: Currency): number =>
  Number(valueDown(BigInt(Math.round(amount * 100)), BigInt(Math.round(ftWalletSlot * 1_000_000)), currency));

/** What a game's credits are worth in the wallet's currency: never more than can be moved out of it. */
export const slotWorth = (slot: Slot, currency: Currency): number =>
  worthMinor(slot, currency) / minorIn(currency);

/** Wallet, games and their sum, in the wallet's currency. What is on its way to a game counts as in games. */
export function totals({ wallet, slots }: WalletReply): { total: number; wallet: number; games: number } {
  const scale = minorIn(wallet.currency);
  const games = slots
    .filter(({ isActive }) => isActive)
    .reduce(
      (sum, slot) => sum + worthMinor(slot, wallet.currency),
      Math.round((wallet.onTheWay ?? 0) * scale),
    );
  return {
    total: (Math.round(wallet.amount * scale) + games) / scale,
    wallet: wallet.amount,
    games: games / scale,
  };
}
