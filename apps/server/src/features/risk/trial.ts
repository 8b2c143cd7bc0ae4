import { DAY_MS } from '@krapao/contract/durations';
import { risk } from '@krapao/contract/operator';
import { fromMinor } from '@krapao/contract/shared';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { idSince } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { SETTING_DEFAULTS, type SettingKey } from '../../platform/settings.ts';
import { isSensible } from '../settings/read.ts';
import type { RiskDeps } from './assess.ts';
import { fromStored } from './evidence.ts';
import { countWithdrawals, listByIds, pageEvidence, type StoredEvidence } from './queries.ts';
import { type Outcome, outcomeOf, type ReadSetting, scoreOf } from './score.ts';

const DAYS = 30;
const PAGE = 2_000;
const LISTED_MAX = 100;

/** The settings as they would be; throws INVALID_REQUEST for a key of another group or a value that does not fit. */
function triedSettings(deps: RiskDeps, values: Record<string, unknown>): ReadSetting {
  for (const [key, value] of Object.entries(values)) {
    const isRisk = key.startsWith('risk.') && Object.hasOwn(SETTING_DEFAULTS, key);
    if (!isRisk || !isSensible(key as SettingKey, value, deps.settings.get))
      throw new Refusal('INVALID_REQUEST', { field: 'values' });
  }
  return (key) => (Object.hasOwn(values, key) ? values[key] : deps.settings.get(key)) as never;
}

interface Tried {
  id: string;
  scoreNow: number;
  scoreTried: number;
  outcomeNow: Outcome;
  outcomeTried: Outcome;
}

function judge({ id, evidence, currency }: StoredEvidence, now: ReadSetting, tried: ReadSetting): Tried {
  const whole = fromStored(evidence);
  const scoreNow = scoreOf(whole, currency, now).score;
  const scoreTried = scoreOf(whole, currency, tried).score;
  return {
    id,
    scoreNow,
    scoreTried,
    outcomeNow: outcomeOf(scoreNow, now),
    outcomeTried: outcomeOf(scoreTried, tried),
  };
}

const isListed = ({ outcomeNow, outcomeTried }: Tried): boolean =>
  outcomeNow !== 'pass' || outcomeTried !== 'pass';

/** Differences first, then by the score that is tried. */
const byInterest = (a: Tried, b: Tried): number =>
  Number(a.outcomeNow === a.outcomeTried) - Number(b.outcomeNow === b.outcomeTried) ||
  b.scoreTried - a.scoreTried ||
  (a.id < b.id ? 1 : -1);

class Counts {
  review = 0;
  held = 0;
  alerts = 0;
  add(score: number, outcome: Outcome, get: ReadSetting): void {
    if (outcome === 'review') this.review++;
    if (outcome === 'held') this.held++;
    if (score >= get('risk.alertScore')) this.alerts++;
  }
}

/** Scores every withdrawal assessed since `from` twice, a page at a time. */
async function tryAll(deps: RiskDeps, from: Date, tried: ReadSetting) {
  const now: ReadSetting = (key) => deps.settings.get(key);
  const counts = { now: new Counts(), tried: new Counts() };
  let listed: Tried[] = [];
  let assessed = 0;
  for (let last = idSince('WD', from); ; ) {
    const rows = await pageEvidence(deps.pool, last, PAGE);
    const judged = rows.map((row) => judge(row, now, tried));
    for (const one of judged) {
      counts.now.add(one.scoreNow, one.outcomeNow, now);
      counts.tried.add(one.scoreTried, one.outcomeTried, tried);
    }
    assessed += rows.length;
    listed = [...listed, ...judged.filter(isListed)].sort(byInterest).slice(0, LISTED_MAX);
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return { ...counts, listed, assessed };
    last = end.id;
  }
}

/** Answers what other settings would have decided. */
export function riskCalls(declare: OperatorDeclare, deps: RiskDeps): void {
  declare(risk.tryRiskSettings, async ({ body }) => {
    const tried = triedSettings(deps, body.values);
    const from = new Date(deps.clock.now().getTime() - DAYS * DAY_MS);
    const { listed, assessed, ...counts } = await tryAll(deps, from, tried);
    const rows = new Map(
      (
        await listByIds(
          deps.pool,
          listed.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    return {
      from: from.toISOString(),
      assessed,
      unassessed: Math.max(0, (await countWithdrawals(deps.pool, from)) - assessed),
      ...counts,
      withdrawals: listed.map((one) => {
        const row = rows.get(one.id)!;
        return {
          ...one,
          member: { id: String(row.member_id), name: row.member_name },
          amount: fromMinor(row.amount, row.currency),
          currency: row.currency,
          createdAt: row.created_at.toISOString(),
        };
      }),
    };
  });
}
