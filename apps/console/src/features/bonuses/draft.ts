import { arePlayable } from '@krapao/contract/playable';
import { localized } from '@krapao/contract/shared';
import type { Body, Reply } from '../../platform/api.ts';
import { fromClock, toClock } from '../../platform/clock-text.ts';

export type Terms = Body<'POST /api/operator/bonuses'>['terms'];
export type Bonus = Reply<'GET /api/operator/bonuses'>['bonuses'][number];
export type Game = Reply<'GET /api/operator/bonuses'>['games'][number];
/** A figure that may not be written yet. */
export type Figure = number | null;

/** Terms as they are being written: figures may still be missing, choices are laid out flat. */
export interface Draft {
  code: string;
  kind: Terms['kind'];
  currency: Terms['currency'];
  title: Terms['title'];
  description: Terms['description'];
  banners: Terms['banners'];
  award: 'fixed' | 'percent';
  fixed: Figure;
  percent: Figure;
  awardMost: Figure;
  needsDeposit: boolean;
  depositLeast: Figure;
  depositMost: Figure;
  successPercent: Figure;
  failPercent: Figure;
  turnoverTimes: Figure;
  games: Terms['games'];
  withdrawMost: Figure;
  days: Figure;
  countBy: Terms['countBy'];
  maxReceived: Figure;
  quota: Figure;
  codes: NonNullable<Terms['codes']>;
  isOpen: boolean;
  /** On Bangkok's clocks, as a field for them holds it. */
  startsAt: string;
  endsAt: string;
}

const NO_TEXT = localized(() => '');
/** The usual bonus: half of a deposit, won at the doubled balance. */
const USUAL: Terms = {
  code: '',
  kind: 'bonus',
  currency: 'BAHT',
  title: NO_TEXT,
  description: NO_TEXT,
  banners: [],
  award: { percent: 50, most: 500 },
  deposit: { least: 100, most: null },
  successPercent: 200,
  failPercent: 10,
  turnoverTimes: 0,
  games: null,
  withdrawMost: null,
  days: 30,
  countBy: 'limit',
  maxReceived: 1,
  quota: null,
  codes: 'shared',
  isOpen: true,
  startsAt: null,
  endsAt: null,
};

/** Terms laid out to be written on; a new bonus begins with what is usual. */
export function draftOf(terms: Terms = USUAL): Draft {
  const { award, deposit, startsAt, endsAt, ...same } = terms;
  const isPercent = 'percent' in award;
  return {
    ...same,
    codes: terms.codes ?? 'shared',
    award: isPercent ? 'percent' : 'fixed',
    fixed: isPercent ? null : award.fixed,
    percent: isPercent ? award.percent : null,
    awardMost: isPercent ? award.most : null,
    needsDeposit: deposit !== null,
    depositLeast: deposit?.least ?? null,
    depositMost: deposit?.most ?? null,
    startsAt: toClock(startsAt),
    endsAt: toClock(endsAt),
  };
}

const isBetween = (figure: Figure, least: number, most: number): figure is number =>
  figure !== null && figure >= least && figure <= most;

function awardOf(draft: Draft): Terms['award'] | null {
  if (draft.award === 'fixed') return draft.fixed !== null && draft.fixed > 0 ? { fixed: draft.fixed } : null;
  if (!isBetween(draft.percent, 1, 1000)) return null;
  return { percent: draft.percent, most: draft.awardMost };
}

/** Whether some game is allowed in which the terms can be met. */
export const isPlayable = ({ games, turnoverTimes }: Draft): boolean =>
  arePlayable({ games, turnoverTimes: turnoverTimes ?? 0 });

/** The terms that were written; null while something is missing or cannot be so. */
export function termsOf(draft: Draft): Terms | null {
  const { code, kind, currency, title, description, banners, games, quota, isOpen } = draft;
  const { successPercent, failPercent, turnoverTimes, days, depositLeast } = draft;
  const award = awardOf(draft);
  // Percent of a deposit needs one.
  const requiresDeposit = draft.needsDeposit || draft.award === 'percent';
  const isOnce = kind === 'promotion';
  const maxReceived = isOnce ? 1 : draft.maxReceived;
  if (!/^[A-Z0-9]{3,40}$/.test(code) || !award) return null;
  if (Object.values(title).some((text) => text.trim() === '')) return null;
  if (requiresDeposit && (depositLeast === null || depositLeast <= 0)) return null;
  if (successPercent !== 0 && !isBetween(successPercent, 101, 10_000)) return null;
  if (!isBetween(failPercent, 0, 99) || !isBetween(turnoverTimes, 0, 1000) || !isBetween(days, 1, 365))
    return null;
  if (!isBetween(maxReceived, 1, 1_000_000) || (isOpen && !isPlayable(draft))) return null;
  return {
    ...{ code, kind, currency, title, description, banners, award, games, quota, isOpen },
    deposit: requiresDeposit ? { least: depositLeast!, most: draft.depositMost } : null,
    ...{ successPercent, failPercent, turnoverTimes, days, maxReceived },
    withdrawMost: draft.withdrawMost,
    countBy: isOnce ? 'limit' : draft.countBy,
    codes: isOnce ? draft.codes : 'shared',
    startsAt: fromClock(draft.startsAt),
    endsAt: fromClock(draft.endsAt),
  };
}
