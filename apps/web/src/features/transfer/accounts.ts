import type { Run } from '../../platform/member/bonus-run.ts';
import { isLate, takesGame } from '../../platform/member/bonus-run.ts';
import { type Slot, slotWorth, type WalletReply } from '../../platform/member/wallet-merge.ts';

/** Why no money goes into a place now, though it may come out: maintenance, the bonus or its time that is over, or the member's own limits. */
type Shut = 'maintenance' | 'bonus' | 'time' | 'limits';

/** A place money can be moved from or to. */
export interface Account {
  code: string;
  /** Empty for the wallet, whose name depends on the language. */
  name: string;
  /** In the wallet's currency. */
  balance: number;
  picture: string;
  /** null for the wallet. */
  slot: Slot | null;
  shut: Shut | null;
}

/** The obstacles to play: the open bonus run, and the member's own limits. */
export interface Bars {
  run: Run | null;
  isPlayStopped: boolean;
}

function shutOf(slot: Slot, { run, isPlayStopped }: Bars): Shut | null {
  if (slot.isInMaintenance) return 'maintenance';
  if (isPlayStopped) return 'limits';
  if (!run || takesGame(run, slot.code)) return null;
  return isLate(run) ? 'time' : 'bonus';
}

/** The wallet first, then every opened game. */
export function accountsOf({ wallet, slots }: WalletReply, bars: Bars): Account[] {
  const games = slots.filter(({ isActive }) => isActive);
  return [
    { code: 'wallet', name: '', balance: wallet.amount, picture: '', slot: null, shut: null },
    ...games.map((slot) => ({
      code: slot.code,
      name: slot.name,
      balance: slotWorth(slot, wallet.currency),
      picture: slot.background,
      slot,
      shut: shutOf(slot, bars),
    })),
  ];
}

/** What is wrong with a pair of places, as the id of its text; null when money may move between them. */
export function pairProblem(from: string, to: string): 'transfer.chooseBoth' | 'transfer.same' | null {
  if (!from || !to) return 'transfer.chooseBoth';
  return from === to ? 'transfer.same' : null;
}
