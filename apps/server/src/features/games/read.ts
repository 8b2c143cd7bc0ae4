import { type Currency, fromMinor, type Language } from '@krapao/contract/shared';
import { sql } from '../../platform/database/db.ts';
import { leastInto } from './least.ts';
import type { GameDeps } from './move.ts';
import {
  type AccountRow,
  listAccounts,
  listSlots,
  nameOf,
  rateOf,
  readLastSync,
  type SlotRow,
} from './queries.ts';

export { addGame, changeGame, removeGame, stateOf as stateOfGame, testGame } from './game-terms.ts';
export type { GameDeps } from './move.ts';
export { listOffers as listOfferedGames } from './offer-queries.ts';
export { countUnknown as countUnknownTransfers, listMemberGames } from './operator-queries.ts';
export { readStaked, sweepPlayed } from './played.ts';
export { findSlot as findGameSlot, listAccounts as listGameAccounts } from './queries.ts';
export { type Reading, refreshAll, requireMayEnter } from './refresh.ts';
export { readFractions, sweepToWallet } from './transfer-all.ts';

/** A slot as the member app shows it; credits and rate as wire numbers. */
export interface SlotView {
  code: string;
  name: string;
  category: 'slot' | 'sport' | 'lotto';
  isActive: boolean;
  amount: number;
  openBets: number;
  staleSince: string | null;
  isInMaintenance: boolean;
  ftWalletSlot: number;
  creditStep: number;
  leastIn: number;
  logo: string;
  background: string;
  web: string | null;
  android: string | null;
  ios: string | null;
}

const credits = (hundredths: bigint): number => Number(hundredths) / 100;

/** An account's last known figures, and their age: null when the last refresh reached the game. */
export function figuresOf(account: AccountRow | undefined, lastSync: Date | null) {
  const readAt = account && (account.asked_at ?? account.created_at);
  return {
    amount: credits(account?.credits ?? 0n),
    openBets: credits(account?.outstanding ?? 0n),
    staleSince: readAt && lastSync && readAt < lastSync ? readAt.toISOString() : null,
  };
}

/** Who is shown a game. */
export interface Reader {
  currency: Currency;
  language: Language;
}

/** `lastSync`: when the member's games were last refreshed. */
export function slotView(
  deps: Pick<GameDeps, 'providerOf'>,
  { currency, language }: Reader,
  slot: SlotRow,
  account: AccountRow | undefined,
  lastSync: Date | null,
): SlotView {
  const rate_micro = account?.rate_micro ?? rateOf(slot, currency);
  return {
    code: slot.code,
    name: nameOf(slot, language),
    category: slot.category,
    isActive: account !== undefined,
    ...figuresOf(account, lastSync),
    // A closed game is shown while it holds money: like one in maintenance it takes none and is not played.
    isInMaintenance: slot.is_in_maintenance || !slot.is_open,
    ftWalletSlot: Number(rate_micro) / 1_000_000,
    creditStep: 1 / 10 ** deps.providerOf(slot).capabilities.creditDecimals,
    leastIn: fromMinor(leastInto(deps, currency, { slot, account: { rate_micro } }), currency),
    logo: slot.logo,
    background: slot.background,
    web: slot.web,
    android: slot.android,
    ios: slot.ios,
  };
}

/** The games of a member. */
export interface MemberGames {
  /** Those open, and closed ones that still hold something of theirs, with the last known balances. */
  slots: SlotView[];
  /** Closed ones that hold nothing any more, which rows of the statement still name. */
  former: { code: string; name: string }[];
  /** When the balances were read. */
  lastSync: Date | null;
}

export async function readSlots(
  deps: Pick<GameDeps, 'pool' | 'providerOf'>,
  member: Reader & { id: bigint },
): Promise<MemberGames> {
  const [slots, accounts, lastSync] = await Promise.all([
    listSlots(deps.pool, member.id),
    listAccounts(deps.pool, member.id),
    readLastSync(deps.pool, member.id),
  ]);
  const bySlot = new Map(accounts.map((account) => [account.slot_code, account]));
  const isShown = ({ is_open, code }: SlotRow): boolean => {
    const { credits: inside, outstanding } = bySlot.get(code) ?? { credits: 0n, outstanding: 0n };
    return is_open || inside > 0n || outstanding > 0n;
  };
  const former = slots.filter((slot) => !isShown(slot));
  return {
    slots: slots.filter(isShown).map((slot) => slotView(deps, member, slot, bySlot.get(slot.code), lastSync)),
    former: former.map((slot) => ({ code: slot.code, name: nameOf(slot, member.language) })),
    lastSync,
  };
}

/** Open transfers and their holds must be the same money; for the proof of the books. */
export const TRANSFER_CHECK = {
  name: 'open transfers are exactly the open transfer holds',
  sql: sql(`select coalesce('transfer ' || t.id || ' has no open hold of ' || t.amount, 'hold ' || h.key || ' has no open transfer') as detail
    from (select id, amount from provider_transfer where state in ('RESERVED', 'UNKNOWN')) t
    full join (select key, amount from ledger_hold where state = 'OPEN' and key like 'transfer:%') h on h.key = 'transfer:' || t.id and h.amount = t.amount
    where t.id is null or h.key is null limit 50`),
};
