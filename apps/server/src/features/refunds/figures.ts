import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import { fromMinor, toMinor } from '@krapao/contract/shared';
import type { Limits } from '../../platform/limits.ts';
import type { Refuse } from '../../platform/refusal.ts';
import type { BonusDeps, Holder } from '../bonuses/read.ts';
import { refreshAll } from '../games/read.ts';
import { addUp, type FiguresRow, readFigures } from './queries.ts';

/** The start of the Bangkok day of a moment. */
const dayOf = (at: Date): Date =>
  new Date(Math.floor((at.getTime() + BANGKOK_OFFSET_MS) / DAY_MS) * DAY_MS - BANGKOK_OFFSET_MS);

type Reason = 'INACTIVE' | 'RUN' | 'SILENT' | 'OPEN' | 'BALANCE' | 'DAY' | 'NOTHING';

/** A member's result, the refund of it, and why it cannot be received now. */
export interface Standing {
  figures: FiguresRow;
  /** When the day began, by which receipts are counted. */
  day: Date;
  percent: number;
  receivable: bigint;
  reason: Reason | null;
  /** The most that may be left to receive anything; null: any amount. */
  most: bigint | null;
}

/** The share of a loss, rounded down, at most the cap. */
export function shareOf(loss: bigint, percent: number, cap: bigint): bigint {
  const share = (loss * BigInt(percent)) / 100n;
  return share > cap ? cap : share;
}

function reasonOf(
  deps: RefundDeps,
  reading: { silent: boolean },
  { figures, receivable, most }: Omit<Standing, 'reason'>,
): Reason | null {
  if (!deps.settings.get('refund.active')) return 'INACTIVE';
  if (figures.has_run) return 'RUN';
  if (reading.silent) return 'SILENT';
  if (figures.is_open) return 'OPEN';
  if (figures.today >= deps.settings.get('refund.dayMax')) return 'DAY';
  if (most !== null && figures.balance > most) return 'BALANCE';
  return receivable === 0n ? 'NOTHING' : null;
}

export interface RefundDeps extends BonusDeps {
  limits: Limits;
}

const READS = { max: 20, ms: 60_000 };

/** Whether the games are read once more only to show figures. */
const mayRead = (deps: RefundDeps, memberId: bigint): Promise<boolean> =>
  deps.limits.fits({ key: `refund-look:${memberId}`, ...READS }, deps.clock.now());

/**
 * Reads every game, adds up what was posted since the last time, and returns the member's result. Repeated calls that only read
 * get the last known figures.
 */
export async function readStanding(
  deps: RefundDeps,
  member: Holder,
  intent: 'look' | 'receive',
): Promise<Standing & { moved: boolean }> {
  const isFresh = intent === 'receive' || (await mayRead(deps, member.id));
  const readings = isFresh ? await refreshAll(deps, member) : [];
  while (!(await addUp(deps.pool, member.id)));
  const day = dayOf(deps.clock.now());
  const figures = await readFigures(deps.pool, member.id, day);
  const amountOf = (key: 'refund.most' | 'refund.balanceMax') =>
    toMinor(deps.settings.get(key)[member.currency], member.currency) ?? 0n;
  const percent = deps.settings.get('refund.percent');
  const receivable = shareOf(figures.loss, percent, amountOf('refund.most'));
  const ceiling = amountOf('refund.balanceMax');
  const standing = { figures, day, percent, receivable, most: ceiling > 0n ? ceiling : null };
  return {
    ...standing,
    reason: reasonOf(deps, { silent: readings.some(({ silent }) => silent) }, standing),
    moved: readings.some(({ ok, silent }) => !ok && !silent) && !figures.is_open,
  };
}

/** Throws the code of what keeps a refund from being received. */
export function requireReceivable(
  refuse: Refuse<'REFUND_INACTIVE' | 'PROVIDER_UNAVAILABLE' | 'REFUND_MINIMUM' | 'REFUND_CONDITION'>,
  member: Holder,
  { reason, most }: Standing,
): void {
  if (reason === null) return;
  if (reason === 'INACTIVE') throw refuse('REFUND_INACTIVE');
  if (reason === 'SILENT') throw refuse('PROVIDER_UNAVAILABLE');
  if (reason === 'NOTHING') throw refuse('REFUND_MINIMUM');
  const limit = reason === 'BALANCE' && most !== null ? { most: fromMinor(most, member.currency) } : {};
  throw refuse('REFUND_CONDITION', { reason, ...limit });
}
