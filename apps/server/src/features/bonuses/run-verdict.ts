import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { BonusRow, RunRow } from './queries.ts';

type Terms = Pick<
  RunRow,
  'qualifying' | 'granted' | 'success_percent' | 'fail_percent' | 'turnover_percent' | 'standing' | 'turnover'
>;

const up = (value: bigint, percent: number): bigint => (value * BigInt(percent) + 99n) / 100n;
const down = (value: bigint, percent: number): bigint => (value * BigInt(percent)) / 100n;

/** The lines a run is decided by, in minor units: won at `target` with `needed` bets, lost at `floor`. */
export function thresholdsOf(run: Omit<Terms, 'standing' | 'turnover'>) {
  const base = run.qualifying + run.granted;
  return {
    base,
    target: up(base, run.success_percent),
    floor: down(base, run.fail_percent),
    needed: up(base, run.turnover_percent),
  };
}

/** The state of the run: won or lost by its terms, or neither. Won takes precedence where both hold. */
export function verdictOf(run: Terms): 'SUCCESS' | 'FAILED' | null {
  const { target, floor, needed } = thresholdsOf(run);
  if (run.standing >= target && run.turnover >= needed && run.standing > floor) return 'SUCCESS';
  return run.standing <= floor ? 'FAILED' : null;
}

/** What BONUS_CONDITION and the active check tell, in wallet currency. */
export function progressOf(run: Terms & { currency: Currency }) {
  const { base, target, floor, needed } = thresholdsOf(run);
  const money = (minor: bigint) =>
    minor < 0n ? -fromMinor(-minor, run.currency) : fromMinor(minor, run.currency);
  return {
    base: money(base),
    balance: money(run.standing),
    target: money(target),
    floor: money(floor),
    turnover: money(run.turnover),
    turnoverNeeded: money(needed),
  };
}

/** Of games that hold money, those that the terms do not allow: it must be moved out before their run starts. */
export const moveOutOf = (games: RunRow['games'], filled: readonly string[]): string[] =>
  games === null ? [] : filled.filter((code) => !(code in games));

/** What a bonus grants on a qualifying deposit, in minor units; 0: nothing. */
export function awardOf(bonus: BonusRow, qualifying: bigint): bigint {
  const full =
    bonus.award === 'fixed' ? bonus.award_amount! : (qualifying * BigInt(bonus.award_percent!)) / 100n;
  return bonus.award_max !== null && full > bonus.award_max ? bonus.award_max : full;
}
