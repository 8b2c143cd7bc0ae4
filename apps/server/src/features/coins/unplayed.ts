import { DAY_MS } from '@krapao/contract/durations';
import { batched } from '../../platform/batched.ts';
import type { Member } from '../../platform/sessions.ts';
import { type GameDeps, listGameAccounts, readStaked } from '../games/read.ts';
import type { UnplayedFinding } from '../withdrawals/read.ts';
import { type PaidInRow, readPaidIn } from './queries.ts';

/** How far back deposits are looked at. */
const DAYS_MS = 30 * DAY_MS;

/** Reports whether the member has deposits that are to be bet before a withdrawal is paid without a review. */
export async function owesBets(
  { pool, settings, clock }: Pick<GameDeps, 'pool' | 'settings' | 'clock'>,
  memberId: bigint,
): Promise<boolean> {
  if (settings.get('withdraw.playedTimes') === 0) return false;
  const [row] = await readPaidIn(pool, [memberId], new Date(clock.now().getTime() - DAYS_MS));
  return row!.since !== null;
}

/**
 * What the member has bet in all games since a moment; null when a provider does not respond, or when it has more bets
 * than one reading takes and those read are less than `needed`.
 */
async function readBets(deps: GameDeps, member: Member, since: Date, needed: bigint): Promise<bigint | null> {
  const accounts = await listGameAccounts(deps.pool, member.id);
  const staked = await Promise.all(accounts.map((account) => readStaked(deps, member, account, since)));
  const bets = staked.reduce((sum, one) => sum + (one?.minor ?? 0n), 0n);
  return staked.some((one) => one === null || (!one.isAll && bets < needed)) ? null : bets;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The amount of a withdrawal that was not bet. The remaining balance counts as unplayed first, for the next withdrawal. */
async function judge(
  deps: GameDeps,
  member: Member,
  amount: bigint,
  paidIn: (memberId: bigint) => Promise<PaidInRow>,
): Promise<UnplayedFinding> {
  const times = BigInt(deps.settings.get('withdraw.playedTimes'));
  const {
    deposited,
    owed,
    since,
    total,
    has_played,
    wallet_version: walletVersion,
  } = await paidIn(member.id);
  const nothing = { unplayed: null, rest: null, walletVersion };
  // The rest of the assessment depends on the wallet too: what else was requested counts there.
  if (times === 0n || !since) return nothing;
  const needed = deposited * times + owed;
  const stays = total > amount ? total - amount : 0n;
  if (needed <= stays) return { ...nothing, rest: { needed, since } };
  const bets = has_played ? await readBets(deps, member, since, needed) : 0n;
  if (bets === null) return { ...nothing, unplayed: 0n, rest: stays > 0n ? { needed, since } : null };
  const unbet = needed - bets;
  if (unbet <= 0n) return nothing;
  const unplayed = unbet > stays ? least(unbet - stays, amount) : 0n;
  const left = least(unbet - unplayed, stays);
  return {
    unplayed: unplayed > 0n ? unplayed : null,
    rest: left > 0n ? { needed: bets + left, since } : null,
    walletVersion,
  };
}

/**
 * Returns the function that finds how much of a withdrawal was deposited and not staked, minor units; it writes nothing.
 * Concurrent calls share one read.
 */
export function createFindUnplayed(
  deps: GameDeps,
): (member: Member, amountMinor: bigint) => Promise<UnplayedFinding> {
  const paidIn = batched<bigint, PaidInRow>((memberIds) =>
    readPaidIn(deps.pool, memberIds, new Date(deps.clock.now().getTime() - DAYS_MS)),
  );
  return (member, amountMinor) => judge(deps, member, amountMinor, paidIn);
}
