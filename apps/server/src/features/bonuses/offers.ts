import { HOUR_MS } from '@krapao/contract/durations';
import { type Currency, fromMinor, type Language } from '@krapao/contract/shared';
import { cleanHtml } from '../../platform/html.ts';
import type { BonusDeps, Holder } from './deps.ts';
import { type BonusRow, hasActiveRun, listBacking, listFilledGames, readWhole } from './queries.ts';
import { awardOf, moveOutOf, thresholdsOf } from './run-verdict.ts';

const money = (minor: bigint, currency: Currency) => fromMinor(minor, currency);
const moneyOrNull = (minor: bigint | null, currency: Currency) =>
  minor === null ? null : money(minor, currency);

function termsOf(row: BonusRow, currency: Currency) {
  return {
    award: {
      fixed: row.award === 'fixed' ? moneyOrNull(row.award_amount, currency) : null,
      percent: row.award === 'fixed' ? null : row.award_percent,
      most: moneyOrNull(row.award_max, currency),
    },
    deposit:
      row.deposit_min === null
        ? null
        : { least: money(row.deposit_min, currency), most: moneyOrNull(row.deposit_max, currency) },
    turnoverTimes: row.turnover_percent / 100,
    games: row.games && Object.keys(row.games),
    withdrawMost: moneyOrNull(row.withdraw_max, currency),
    days: row.days,
    endsAt: row.ends_at?.toISOString() ?? null,
  };
}

/** What a member has to receive bonuses on, by the figures last known. */
interface Means {
  /** Deposits that back nothing yet, the latest first. */
  deposits: bigint[];
  total: bigint;
  /** Games that hold money. */
  filled: string[];
  isRunning: boolean;
}

/** Reads what a member could receive bonuses on now. */
export async function readMeans(deps: BonusDeps, member: Holder): Promise<Means> {
  const since = new Date(deps.clock.now().getTime() - deps.settings.get('bonus.depositHours') * HOUR_MS);
  const [deposits, { total }, filled, isRunning] = await Promise.all([
    listBacking(deps.pool, member.id, since),
    readWhole(deps.pool, member.id, null),
    listFilledGames(deps.pool, member.id),
    hasActiveRun(deps.pool, member.id),
  ]);
  return { deposits, total, filled, isRunning };
}

/** What it would come to if it were received now; null while it cannot be. */
function nowOf(row: BonusRow, { deposits, total, isRunning }: Means, currency: Currency) {
  if (isRunning) return null;
  const { deposit_min: min, deposit_max: max } = row;
  const deposit = min === null ? 0n : deposits.find((one) => one >= min && (max === null || one <= max));
  if (deposit === undefined) return null;
  const qualifying = deposit < total ? deposit : total;
  const granted = awardOf(row, qualifying);
  if (granted === 0n) return null;
  const { target, floor, needed } = thresholdsOf({ ...row, qualifying, granted });
  return {
    deposit: money(qualifying, currency),
    amount: money(granted, currency),
    target: money(target, currency),
    floor: money(floor, currency),
    turnoverNeeded: money(needed, currency),
  };
}

/** A bonus or promotion as a member sees it before they receive it. */
export const offerOf = (row: BonusRow, means: Means, currency: Currency, language: Language) => ({
  code: row.code,
  version: row.version,
  title: row.title[language] || row.title.th,
  description: cleanHtml(row.description[language]),
  percentSuccess: row.success_percent,
  percentFail: row.fail_percent,
  banners: row.banners.map(({ image, html }) => ({ image, html: cleanHtml(html[language]) })),
  terms: termsOf(row, currency),
  now: nowOf(row, means, currency),
  moveOutOf: means.isRunning ? [] : moveOutOf(row.games, means.filled),
});
