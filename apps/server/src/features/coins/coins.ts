import { toMinor } from '@krapao/contract/shared';
import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import type { Pool } from '../../platform/database/db.ts';
import type { JobSet } from '../../platform/jobs.ts';
import type { Settings } from '../../platform/settings.ts';
import { coinDayItem } from './ledger.ts';
import { type CoinDayRow, closeDay, listOpenDays } from './queries.ts';

export interface CoinDeps {
  pool: Pool;
  ledger: Ledger;
  settings: Settings;
  systemAccount: ReturnType<typeof createSystemAccounts>;
}

/** The coins a day's deposits are worth, without what was withdrawn unplayed. */
function dueOf({ settings }: CoinDeps, { currency, deposited, unplayed }: CoinDayRow): bigint {
  const each = toMinor(settings.get('coin.deposit')[currency], currency);
  if (!each || deposited <= unplayed) return 0n;
  const due = (deposited - unplayed) / each;
  const most = BigInt(settings.get('coin.dayMax'));
  return due < most ? due : most;
}

/** Gives what is due and not given yet, or takes back what is given and not due any more, as far as it is unspent. */
async function reckonDay(deps: CoinDeps, row: CoinDayRow): Promise<void> {
  const wanted = dueOf(deps, row) - row.granted;
  const change = wanted < -row.coins ? -row.coins : wanted;
  if (change === 0n) return closeDay(deps.pool, row);
  const { member_id: memberId, day, deposited, unplayed, turn } = row;
  const accounts = { coins: row.coin_account, issue: await deps.systemAccount('coin_issue', 'COIN') };
  const outcome = await deps.ledger.post(
    coinDayItem({ memberId, day, deposited, unplayed, turn, change }, accounts),
  );
  // What has changed meanwhile leaves the day open: the next reckoning sees it as it is then.
  if (outcome.state === 'refused' && outcome.body.message !== 'STALE')
    throw new Error(`coins of ${row.member_id} were refused as ${outcome.body.message}`);
}

/**
 * Brings members' coins in line with what they have paid in: each deposit counts once, however often this runs.
 * @param memberId one member; null: all members with a change
 */
export async function reckonCoins(deps: CoinDeps, memberId: bigint | null): Promise<void> {
  for (const row of await listOpenDays(deps.pool, memberId)) await reckonDay(deps, row);
}

/** Coins are given as soon as a deposit has committed; what an outage left over follows within a minute. */
export const coinJobs = (deps: CoinDeps): JobSet => ({
  tasks: { 'coins.reckon': () => reckonCoins(deps, null) },
  everyMinute: ['coins.reckon'],
});
