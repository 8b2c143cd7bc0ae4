import { toMinor } from '@krapao/contract/shared';
import type { createSystemAccounts, Ledger } from '../../ledger/index.ts';
import type { Pool } from '../../platform/database/db.ts';
import { forEachRow } from '../../platform/for-each.ts';
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

/** A day's deposits, without what was withdrawn unplayed. */
const earningOf = ({ deposited, unplayed }: CoinDayRow): bigint =>
  deposited > unplayed ? deposited - unplayed : 0n;

/** The coins a day's deposits are worth. */
function dueOf({ settings }: CoinDeps, row: CoinDayRow): bigint {
  const each = toMinor(settings.get('coin.deposit')[row.currency], row.currency);
  if (!each) return 0n;
  const due = earningOf(row) / each;
  const most = BigInt(settings.get('coin.dayMax'));
  return due < most ? due : most;
}

/**
 * The coins to grant, or to take back when negative. At most the share of the granted coins is taken back that the
 * deposits they were granted for have lost, because changed settings take no coins back.
 */
function changeOf(deps: CoinDeps, row: CoinDayRow): bigint {
  const wanted = dueOf(deps, row) - row.granted;
  if (wanted >= 0n || row.granted_for === null) return wanted;
  const earning = earningOf(row);
  const rest = earning < row.granted_for ? (row.granted * earning) / row.granted_for : row.granted;
  return wanted < rest - row.granted ? rest - row.granted : wanted;
}

/** Gives what is due and not given yet, or takes back what is given and not due any more, as far as it is unspent. */
async function reckonDay(deps: CoinDeps, row: CoinDayRow): Promise<void> {
  const wanted = changeOf(deps, row);
  const change = wanted < -row.coins ? -row.coins : wanted;
  if (change === 0n) return closeDay(deps.pool, row);
  const { member_id: memberId, day, deposited, unplayed, turn } = row;
  // Spent coins are taken back once the member has coins again, for the same deposits.
  const grantedFor = change === wanted ? earningOf(row) : row.granted_for;
  const accounts = { coins: row.coin_account, issue: await deps.systemAccount('coin_issue', 'COIN') };
  const outcome = await deps.ledger.post(
    coinDayItem({ memberId, day, deposited, unplayed, turn, change, grantedFor }, accounts),
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
  await forEachRow(await listOpenDays(deps.pool, memberId), (row) => reckonDay(deps, row));
}

/** Coins are given as soon as a deposit has committed; what an outage left over follows within a minute. */
export const coinJobs = (deps: CoinDeps): JobSet => ({
  tasks: { 'coins.reckon': () => reckonCoins(deps, null) },
  everyMinute: ['coins.reckon'],
});
