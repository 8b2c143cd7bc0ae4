import type { Member } from '../../platform/sessions.ts';
import type { GameDeps } from '../games/read.ts';

/** Whose run it is. */
export type Holder = Pick<Member, 'id' | 'currency' | 'walletAccount' | 'holdAccount'>;

export interface BonusDeps extends GameDeps {
  alert(kind: string, thing: string, detail: string): Promise<void>;
}

/** How often a decision is taken anew because money moved while it was taken. */
export const TRIES = 5;

/** Keys that keep items apart which must see each other: starts, ends, withdrawals and moves of one member. */
export const keysOf = (memberId: bigint): string[] => [`run of ${memberId}`, `withdrawal of ${memberId}`];
