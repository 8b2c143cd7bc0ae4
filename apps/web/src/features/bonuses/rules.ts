import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import { type Figures, isWon, type Run } from '../../platform/member/bonus-run.ts';
import type { Bonus } from './queries.ts';

const dayOf = (when: number): number => Math.floor((when + BANGKOK_OFFSET_MS) / DAY_MS);
/** Weeks begin on Monday; the first day of the count was a Thursday. */
const weekOf = (when: number): number => Math.floor((dayOf(when) + 3) / 7);

const PERIOD = { limit: () => 0, day: dayOf, week: weekOf };

/** The state of a bonus's card: its run is open, it has been received as often as may be for now, or it is open. */
export function cardState(
  { type, maxReceived, userBonus }: Pick<Bonus, 'type' | 'maxReceived' | 'userBonus'>,
  now: number,
): 'current' | 'used' | 'open' {
  if (userBonus?.isActive) return 'current';
  const period = PERIOD[type];
  const received = userBonus?.received ?? [];
  const count = received.filter(({ updatedAt }) => period(Date.parse(updatedAt)) === period(now)).length;
  return count >= maxReceived ? 'used' : 'open';
}

/** Of a way to go, how much is done, from 0 to 1. */
export const shareOf = (done: number, all: number): number =>
  all <= 0 ? 1 : Math.min(1, Math.max(0, done / all));

/** What giving up takes now: all that is above the deposit behind the run. */
export const takenOf = ({ balance, deposit }: Pick<Run, 'balance' | 'deposit'>): number =>
  Math.max(0, Math.round((balance - deposit) * 100) / 100);

/** What ending a run that is won takes: all above what its terms let the member keep. */
export function cappedOf(run: Figures & Pick<Run, 'withdrawMost'>): number {
  if (!isWon(run) || run.withdrawMost === null) return 0;
  return Math.max(0, Math.round((run.balance - run.withdrawMost) * 100) / 100);
}
