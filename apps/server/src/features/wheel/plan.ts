import type { WheelPlan } from '@krapao/contract/operator';
import { type Currency, localized } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { cleanHtml } from '../../platform/html.ts';
import { Refusal } from '../../platform/refusal.ts';
import { columnsOf, type PrizeColumns, requireTexts } from '../coupons/read.ts';
import { draw } from './draw.ts';

/** Everything that is decided of a wheel. */
export type Plan = Static<typeof WheelPlan>;

/** A slice to be stored. */
export interface PlannedSlice {
  code: string;
  label: Plan['name'];
  bgColor: string;
  textColor: string;
  html: Plan['name'];
  weight: number;
  stock: number | null;
  prize: PrizeColumns | null;
}

/** The slices of a plan in their stored form, html cleaned. Throws INVALID_REQUEST naming an invalid one. */
export function slicesOf(plan: Plan, currency: Currency): PlannedSlice[] {
  requireTexts(plan.name, 'name');
  const codes = new Set(plan.slices.map(({ code }) => code));
  if (codes.size !== plan.slices.length) throw new Refusal('INVALID_REQUEST', { field: 'slices.code' });
  if (plan.slices.every(({ weight }) => weight === 0))
    throw new Refusal('INVALID_REQUEST', { field: 'slices.weight' });
  return plan.slices.map((slice) => {
    requireTexts(slice.label, `${slice.code}.label`);
    if (slice.stock !== null && !slice.prize)
      throw new Refusal('INVALID_REQUEST', { field: `${slice.code}.stock` });
    return {
      ...slice,
      html: localized((language) => cleanHtml(slice.html[language])),
      prize: slice.prize && columnsOf(slice.prize, currency, `${slice.code}.prize`),
    };
  });
}

const SPINS = 100_000;
/** So many draws are made before others have their turn. */
const STRIDE = 5_000;

/** How often each slice is drawn, by the same draw as members' spins; exhausted ones are excluded. */
export async function simulate(
  slices: readonly { weight: number; left: number | null }[],
): Promise<{ spins: number; counts: number[] }> {
  const left = slices.map((slice) => slice.left);
  const weights = slices.map(({ weight, left }) => (left === 0 ? 0 : weight));
  const counts = slices.map(() => 0);
  for (let spins = 0; spins < SPINS; spins++) {
    const position = draw(weights);
    if (position === null) return { spins, counts };
    counts[position]! += 1;
    if (left[position] !== null && --left[position]! === 0) weights[position] = 0;
    if (spins % STRIDE === 0) await new Promise((resume) => setImmediate(resume));
  }
  return { spins: SPINS, counts };
}
