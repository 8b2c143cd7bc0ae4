import { describe, expect, test } from 'vitest';
import { prizeDraftOf } from '../../platform/prize.ts';
import { expectedCost, newSlice, planOf, sharesOf, wheelDraftOf } from './draft.ts';

const texts = (text: string) => ({ th: text, la: text, en: text });
const cash = (value: number) => ({ ...prizeDraftOf(), name: texts('x'), value });
const slice = (index: number, change = {}) => ({ ...newSlice(index), label: texts('x'), ...change });

describe('a wheel that is written', () => {
  test('is a plan once every slice has its words, and its prize is whole', () => {
    const draft = { ...wheelDraftOf('BAHT'), name: texts('Wheel') };
    expect(planOf(draft)).toBeNull();
    const slices = [slice(0, { prize: cash(20), stock: 5 }), slice(1, { stock: 3 })];
    expect(planOf({ ...draft, slices })).toMatchObject({
      costPerSpin: 1,
      slices: [
        { prize: { kind: 'CASH', value: 20, terms: null }, stock: 5 },
        { prize: null, stock: null },
      ],
    });
    expect(planOf({ ...draft, slices: [slice(0), slice(0)] })).toBeNull();
    expect(planOf({ ...draft, slices: [slice(0, { weight: 0 }), slice(1, { weight: 0 })] })).toBeNull();
    expect(planOf({ ...draft, slices: [slice(0, { prize: cash(0) }), slice(1)] })).toBeNull();
    const bonus = { ...cash(20), kind: 'BONUS' as const, successPercent: 0 };
    expect(planOf({ ...draft, slices: [slice(0, { prize: bonus }), slice(1)] })).toBeNull();
    const written = planOf({ ...draft, slices })!;
    expect(planOf(wheelDraftOf('BAHT', written))).toEqual(written);
  });

  test('costs what its money prizes are worth by their chance', () => {
    const coin = { ...cash(9), kind: 'COIN' as const };
    const slices = [
      slice(0, { weight: 1, prize: cash(100) }),
      slice(1, { weight: 3, prize: coin }),
      slice(2, { weight: 96, prize: cash(1000), stock: 0 }),
    ];
    expect(sharesOf(slices)).toEqual([0.25, 0.75, 0]);
    expect(expectedCost(slices)).toBe(25);
  });
});
