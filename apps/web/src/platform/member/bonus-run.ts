import type { MemberApi } from '@krapao/contract/member';

type ActiveBonus = MemberApi['GET /api/bonus/check/active']['reply'];

/** A run under way, with all its figures. */
export type Run = Required<ActiveBonus> & { type: NonNullable<ActiveBonus['type']> };

/** The run of an answer, or null without one. */
export const runOf = (active: ActiveBonus | undefined): Run | null =>
  active?.status ? (active as Run) : null;

/** The progress of a run, from the active check and BONUS_CONDITION. */
export type Figures = Pick<Run, 'balance' | 'target' | 'floor' | 'turnover' | 'turnoverNeeded'>;

/** What a run still lacks, in wallet currency; nothing when it can end by its terms. */
export function missingOf(run: Figures): { balance: number; turnover: number; isOver: boolean } {
  const balance = Math.max(0, run.target - run.balance);
  const turnover = Math.max(0, run.turnoverNeeded - run.turnover);
  return { balance, turnover, isOver: isLost(run) || (balance === 0 && turnover === 0) };
}

/**
 * Whether the time of a run is over: it then expires as soon as it can, whatever has been won. By the server's clock,
 * which decides; that of the device may be off.
 */
export const isLate = ({ isOver }: Pick<Run, 'isOver'>): boolean => isOver === true;

/** Whether so little is left that the run can only end without its bonus. */
const isLost = ({ balance, floor }: Figures): boolean => balance <= floor;

/** Whether the conditions are met. */
export const isWon = (run: Figures): boolean => !isLost(run) && missingOf(run).isOver;

/** Whether money may be moved into this game during the run. */
export const takesGame = ({ games, isOver }: Pick<Run, 'games' | 'isOver'>, code: string): boolean =>
  !isLate({ isOver }) && (games === null || games.includes(code));
