import type { RunKind } from '@krapao/contract/shared';
import type { Member } from '../../platform/sessions.ts';
import { walletTurn } from '../deposits/read.ts';
import type { GameDeps } from '../games/read.ts';
import type { RunRow } from './queries.ts';

/** Whose run it is. */
export type Holder = Pick<Member, 'id' | 'currency' | 'walletAccount' | 'holdAccount'>;

export const holderOf = (run: RunRow): Holder => ({
  id: run.member_id,
  currency: run.currency,
  walletAccount: run.wallet_account,
  holdAccount: run.hold_account,
});

export type BonusDeps = GameDeps;

/** How often a decision is taken again because money moved while it was taken. */
export const TRIES = 5;

/** Keys that keep items apart which must see each other: starts, ends, withdrawals, credits and moves of one member. */
export const keysOf = (memberId: bigint): string[] => [`run of ${memberId}`, walletTurn(memberId)];

/** The system account that grants of a kind are booked from, and that gets back what is taken at the end of a run. */
export const costOf = (kind: RunKind): 'bonus_cost' | 'invite_cost' | 'refund_cost' =>
  kind === 'invite' ? 'invite_cost' : kind === 'refund' ? 'refund_cost' : 'bonus_cost';
