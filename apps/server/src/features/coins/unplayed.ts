import { DAY_MS } from '@krapao/contract/durations';
import { batched } from '../../platform/batched.ts';
import type { Member } from '../../platform/sessions.ts';
import { type GameDeps, listGameAccounts, readStaked } from '../games/read.ts';
import { deleteNotes, insertUnbet, insertUnplayed, type PaidInRow, readPaidIn } from './queries.ts';

/** How far back deposits are looked at. */
const DAYS_MS = 30 * DAY_MS;

/** What the member has bet in all games since a moment; null when a provider does not tell. */
async function readBets(deps: GameDeps, member: Member, since: Date): Promise<bigint | null> {
  const accounts = await listGameAccounts(deps.pool, member.id);
  const told = await Promise.all(accounts.map((account) => readStaked(deps, member, account, since)));
  return told.some((one) => one === null) ? null : told.reduce<bigint>((sum, one) => sum + one!, 0n);
}

interface Judged {
  /** How much of the withdrawal was paid in and not bet; null: nothing of it, 0: a provider does not tell. */
  unplayed: bigint | null;
  /** The bets owed for what stays with the member, all since a moment counted; null: none. */
  rest: { needed: bigint; since: Date } | null;
}

const NOTHING: Judged = { unplayed: null, rest: null };
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What of a withdrawal was not bet. What stays with the member counts as the part that was not, and is asked of the next. */
async function judge(
  deps: GameDeps,
  member: Member,
  amount: bigint,
  paidIn: (memberId: bigint) => Promise<PaidInRow>,
): Promise<Judged> {
  const times = BigInt(deps.settings.get('withdraw.playedTimes'));
  if (times === 0n) return NOTHING;
  const { deposited, owed, since, total, has_played } = await paidIn(member.id);
  if (!since) return NOTHING;
  const needed = deposited * times + owed;
  const stays = total > amount ? total - amount : 0n;
  if (needed <= stays) return { unplayed: null, rest: { needed, since } };
  const bets = has_played ? await readBets(deps, member, since) : 0n;
  if (bets === null) return { unplayed: 0n, rest: stays > 0n ? { needed, since } : null };
  const unbet = needed - bets;
  if (unbet <= 0n) return NOTHING;
  const unplayed = unbet > stays ? least(unbet - stays, amount) : 0n;
  const left = least(unbet - unplayed, stays);
  return {
    unplayed: unplayed > 0n ? unplayed : null,
    rest: left > 0n ? { needed: bets + left, since } : null,
  };
}

/**
 * Returns the function that runs before a withdrawal is requested: it records how much of the withdrawal was deposited
 * and not staked, and returns whether an operator must review the withdrawal. Concurrent calls share one read.
 */
export function createRecordUnplayed(
  deps: GameDeps,
): (member: Member, withdrawal: { id: string; amountMinor: bigint }) => Promise<boolean> {
  const paidIn = batched<bigint, PaidInRow>((memberIds) =>
    readPaidIn(deps.pool, memberIds, new Date(deps.clock.now().getTime() - DAYS_MS)),
  );
  return async (member, withdrawal) => {
    const { unplayed, rest } = await judge(deps, member, withdrawal.amountMinor, paidIn);
    if (rest) await insertUnbet(deps.pool, withdrawal.id, rest);
    if (unplayed === null) return false;
    await insertUnplayed(deps.pool, withdrawal.id, unplayed);
    return true;
  };
}

/** Deletes what was recorded for a withdrawal that was not made. */
export const clearUnplayed = ({ pool }: Pick<GameDeps, 'pool'>, id: string): Promise<void> =>
  deleteNotes(pool, id);
