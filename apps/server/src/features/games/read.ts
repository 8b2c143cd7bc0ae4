import type { Pool } from 'pg';
import { type AccountRow, listAccounts, listSlots, readLastSync, type SlotRow } from './queries.ts';

export { hasParts, valueDown } from './credits.ts';
export { countUnknown as countUnknownTransfers, listMemberGames } from './desk-queries.ts';
export { findSlot as findGameSlot } from './queries.ts';

/** A slot as the member app shows it; credits and rate as wire numbers. */
export interface SlotView {
  code: string;
  name: string;
  category: 'slot' | 'sport' | 'lotto';
  isActive: boolean;
  amount: number;
  ftWalletSlot: number;
  logo: string;
  background: string;
  web: string | null;
  android: string | null;
  ios: string | null;
}

export function slotView(slot: SlotRow, account: AccountRow | undefined): SlotView {
  return {
    code: slot.code,
    name: slot.name,
    category: slot.category,
    isActive: account !== undefined,
    amount: Number(account?.credits ?? 0n) / 100,
    ftWalletSlot: Number(account?.rate_micro ?? slot.rate_micro) / 1_000_000,
    logo: slot.logo,
    background: slot.background,
    web: slot.web,
    android: slot.android,
    ios: slot.ios,
  };
}

/** All open slots with what the member has in them as last known, and when that was asked for. */
export async function readSlots(
  pool: Pool,
  memberId: bigint,
): Promise<{ slots: SlotView[]; lastSync: Date | null }> {
  const [slots, accounts, lastSync] = await Promise.all([
    listSlots(pool),
    listAccounts(pool, memberId),
    readLastSync(pool, memberId),
  ]);
  const bySlot = new Map(accounts.map((account) => [account.slot_code, account]));
  return { slots: slots.map((slot) => slotView(slot, bySlot.get(slot.code))), lastSync };
}

/** Open transfers and their holds must be the same money; for the proof of the books. */
export const TRANSFER_CHECK = {
  name: 'open transfers are exactly the open transfer holds',
  sql: `select coalesce('transfer ' || t.id || ' has no open hold of ' || t.amount, 'hold ' || h.key || ' has no open transfer') as detail
    from (select id, amount from provider_transfer where state in ('RESERVED', 'UNKNOWN')) t
    full join (select key, amount from ledger_hold where state = 'OPEN' and key like 'transfer:%') h on h.key = 'transfer:' || t.id and h.amount = t.amount
    where t.id is null or h.key is null`,
};
