import { PRIZES } from '@krapao/contract/prizes';
import type { Body, Reply } from '../../platform/api.ts';
import {
  type Figure,
  isFull,
  NO_TEXT,
  type PrizeDraft,
  prizeDraftOf,
  prizeOf,
  type Texts,
} from '../../platform/prize.ts';

export type Plan = Body<'POST /api/operator/wheels'>['plan'];
export type Wheel = Reply<'GET /api/operator/wheels'>['wheels'][number];
export type WheelReply = Reply<'GET /api/operator/wheels/{id}'>;

/** A slice as it is being written. */
export interface SliceDraft {
  code: string;
  label: Texts;
  bgColor: string;
  textColor: string;
  html: Texts;
  weight: Figure;
  stock: Figure;
  /** Null: a blank slice. */
  prize: PrizeDraft | null;
}

/** A wheel as it is being written. */
export interface WheelDraft {
  currency: Wheel['currency'];
  name: Texts;
  costPerSpin: Figure;
  slices: SliceDraft[];
}

export const SLICES = { least: 2, most: 24 } as const;

/** Colours that are distinguishable beside each other, each with its text colour. */
export const PALETTE = [
  ['#0b5d4a', '#ffffff'],
  ['#f4d58d', '#3b2a00'],
  ['#8d2f3b', '#ffffff'],
  ['#dfeee8', '#123b31'],
  ['#2f4a8d', '#ffffff'],
  ['#f0b8a5', '#4a1508'],
] as const;

/** A blank slice that can be written on. */
export function newSlice(index: number): SliceDraft {
  const [bgColor, textColor] = PALETTE[index % PALETTE.length]!;
  return {
    code: `S${index + 1}`,
    label: NO_TEXT,
    bgColor,
    textColor,
    html: NO_TEXT,
    weight: 10,
    stock: null,
    prize: null,
  };
}

/** A plan laid out to be written on; a new wheel has six blank slices. */
export const wheelDraftOf = (currency: Wheel['currency'], plan?: Plan): WheelDraft => ({
  currency,
  name: plan?.name ?? NO_TEXT,
  costPerSpin: plan?.costPerSpin ?? 1,
  slices: plan
    ? plan.slices.map((slice) => ({ ...slice, prize: slice.prize && prizeDraftOf(slice.prize) }))
    : PALETTE.map((_, index) => newSlice(index)),
});

function sliceOf(draft: SliceDraft): Plan['slices'][number] | null {
  const { code, label, weight, stock } = draft;
  const prize = draft.prize && prizeOf(draft.prize);
  if (!/^[A-Z0-9_-]{1,20}$/.test(code) || !isFull(label) || weight === null) return null;
  if (draft.prize && !prize) return null;
  return { ...draft, weight, stock: prize ? stock : null, prize };
}

/** Whether a slice can be stored as entered. */
export const isWhole = (draft: SliceDraft): boolean => sliceOf(draft) !== null;

/** The plan that was written; null while something is missing or cannot be so. */
export function planOf({ name, costPerSpin, slices: drafts }: WheelDraft): Plan | null {
  const slices = drafts.map(sliceOf).filter((slice) => slice !== null);
  const isWhole = slices.length === drafts.length && slices.length >= SLICES.least;
  const hasOwnCodes = new Set(slices.map(({ code }) => code)).size === slices.length;
  if (!isFull(name) || !costPerSpin || costPerSpin > 1000 || !isWhole || !hasOwnCodes) return null;
  if (slices.every(({ weight }) => weight === 0)) return null;
  return { name, costPerSpin, slices };
}

/** The chance of each slice, 0 to 1; what has no stock has none. */
export function sharesOf(slices: readonly Pick<SliceDraft, 'weight' | 'stock'>[]): number[] {
  const weights = slices.map(({ weight, stock }) => (stock === 0 ? 0 : (weight ?? 0)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : weight / total));
}

/** Expected cost of a spin to the operator, in money; coins count as nothing. */
export function expectedCost(slices: readonly SliceDraft[]): number {
  const shares = sharesOf(slices);
  return slices.reduce((sum, { prize }, index) => {
    const worth = prize && PRIZES[prize.kind].unit === 'money' ? (prize.value ?? 0) : 0;
    return sum + worth * shares[index]!;
  }, 0);
}
