import type { MemberApi } from '@krapao/contract/member';

export type WalletReply = MemberApi['GET /api/wallet']['reply'];
export type Slot = WalletReply['slots'][number];

/** A reply that is older than what is known keeps the known balance: an event may have overtaken it. */
export function newerWallet(known: WalletReply | undefined, reply: WalletReply): WalletReply {
  if (!known || known.profile._id !== reply.profile._id) return reply;
  return known.wallet.version > reply.wallet.version ? { ...reply, wallet: known.wallet } : reply;
}

/** A pushed balance; an event older than what is known changes nothing. */
export function withEvent(known: WalletReply, event: { amount: number; version: number }): WalletReply {
  if (event.version <= known.wallet.version) return known;
  return { ...known, wallet: { ...known.wallet, amount: event.amount, version: event.version } };
}

/** The balance a money call answered. */
export const withAmount = (known: WalletReply, amount: number): WalletReply => ({
  ...known,
  wallet: { ...known.wallet, amount },
});

/** Game balances as just asked; a silent game keeps its old figures, marked old. */
export function withGames(
  known: WalletReply,
  asked: MemberApi['GET /api/wallet/refresh/slot']['reply'],
): WalletReply {
  const told = new Map(
    asked.slots.map(({ code, ok, staleSince, ...figures }) => [code, { staleSince, ...(ok && figures) }]),
  );
  return {
    ...known,
    slots: known.slots.map((slot) => ({ ...slot, ...told.get(slot.code) })),
    lastSync: asked.lastSync,
  };
}

/** One game as the server now has it. */
export const withSlot = (known: WalletReply, slot: Slot): WalletReply => ({
  ...known,
  slots: known.slots.map((other) => (other.code === slot.code ? slot : other)),
});

/** What a game's credits are worth in the wallet's currency. */
export const slotWorth = (slot: Slot): number => Math.round(slot.amount * slot.ftWalletSlot * 100) / 100;

/** Wallet, games and their sum, in the wallet's currency. */
export function totals({ wallet, slots }: WalletReply): { total: number; wallet: number; games: number } {
  const cents = slots
    .filter(({ isActive }) => isActive)
    .reduce((sum, slot) => sum + Math.round(slotWorth(slot) * 100), 0);
  return {
    total: (Math.round(wallet.amount * 100) + cents) / 100,
    wallet: wallet.amount,
    games: cents / 100,
  };
}
