import { valueDown } from '@krapao/contract/credits';
import { DAY_MS } from '@krapao/contract/durations';
import type { Pool } from '../../platform/database/db.ts';
import type { Member } from '../../platform/sessions.ts';
import type { GameDeps } from './move.ts';
import { deletePlayed, findPlayed, savePlayed } from './played-queries.ts';
import { type AccountRow, findSlot } from './queries.ts';

/** What bets in a game were worth. */
export interface Staked {
  minor: bigint;
  /** False: there are more bets than one reading takes, and the next reading goes on from these. */
  isAll: boolean;
}

/**
 * What the member's settled bets in a game were worth since a moment, in minor units by the rate of today; null when
 * the provider does not respond.
 */
export async function readStaked(
  deps: GameDeps,
  member: Pick<Member, 'currency'>,
  account: AccountRow,
  since: Date,
): Promise<Staked | null> {
  const slot = await findSlot(deps.pool, account.slot_code);
  if (!slot) return null;
  const now = deps.clock.now();
  const before = await findPlayed(deps.pool, account, since);
  const span = { from: before?.until ?? since, to: now };
  const played = await deps.providerOf(slot).played(account.username, span);
  if (played.outcome !== 'ok') return null;
  const { until } = played.value;
  const turnover = (before?.turnover ?? 0n) + played.value.turnover;
  if (until) await savePlayed(deps.pool, account, since, { until, turnover, now });
  return { minor: valueDown(turnover, account.rate_micro, member.currency), isAll: until === null };
}

const PROGRESS_DAYS = 30;

/** Deletes progress that no reading has continued for long, so many rows at most; a later one begins anew. */
export const sweepPlayed = (pool: Pool, now: Date, count: number): Promise<number> =>
  deletePlayed(pool, new Date(now.getTime() - PROGRESS_DAYS * DAY_MS), count);
