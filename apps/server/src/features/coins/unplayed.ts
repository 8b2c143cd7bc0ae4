import type { Member } from '../../platform/sessions.ts';
import { type GameDeps, listGameAccounts, readStaked } from '../games/read.ts';
import { deleteUnplayed, insertUnplayed, readPaidIn } from './queries.ts';

/** How far back deposits are looked at. */
const DAYS_MS = 30 * 86_400_000;

/** What the member has bet in all games since a moment; null when a provider does not tell. */
async function readBets(deps: GameDeps, member: Member, since: Date): Promise<bigint | null> {
  const accounts = await listGameAccounts(deps.pool, member.id);
  const told = await Promise.all(accounts.map((account) => readStaked(deps, member, account, since)));
  return told.some((one) => one === null) ? null : told.reduce<bigint>((sum, one) => sum + one!, 0n);
}

/**
 * How much of a withdrawal was paid in and not bet; null: nothing of it, 0: a provider does not tell. What stays with
 * the member counts as the part that was not bet.
 */
async function findUnplayed(deps: GameDeps, member: Member, amount: bigint): Promise<bigint | null> {
  const times = BigInt(deps.settings.get('withdraw.playedTimes'));
  if (times === 0n || !deps.settings.get('wheel.active')) return null;
  const from = new Date(deps.clock.now().getTime() - DAYS_MS);
  const { deposited, since, total, has_played } = await readPaidIn(deps.pool, member.id, from);
  const needed = deposited * times;
  const stays = total > amount ? total - amount : 0n;
  if (!since || needed <= stays) return null;
  const bets = has_played ? await readBets(deps, member, since) : 0n;
  if (bets === null) return 0n;
  const unplayed = needed - bets - stays;
  if (unplayed <= 0n) return null;
  return unplayed < amount ? unplayed : amount;
}

/** Notes, before a withdrawal is asked for, what of it was not bet; answers whether an operator must look at it. */
export async function noteUnplayed(
  deps: GameDeps,
  member: Member,
  withdrawal: { id: string; amountMinor: bigint },
): Promise<boolean> {
  const unplayed = await findUnplayed(deps, member, withdrawal.amountMinor);
  if (unplayed === null) return false;
  await insertUnplayed(deps.pool, withdrawal.id, unplayed);
  return true;
}

/** Forgets the note of a withdrawal that was not made. */
export const forgetUnplayed = ({ pool }: Pick<GameDeps, 'pool'>, id: string): Promise<void> =>
  deleteUnplayed(pool, id);
