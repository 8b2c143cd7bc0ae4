import { costUp, creditsCovering, creditsFor, roundToProvider, valueDown } from '@krapao/contract/credits';
import { AMOUNT_MINOR_MAX, CURRENCY_DECIMALS, type Currency } from '@krapao/contract/shared';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const currency = fc.constantFrom<Currency>('BAHT', 'LAK');
const amount = fc.bigInt({ min: 1n, max: AMOUNT_MINOR_MAX });
/** Millionths of wallet currency per credit: from a thousandth to a hundred thousand. */
const rate = fc.oneof(
  fc.constantFrom(1_000_000n, 10_000_000n, 700_000_000n, 333_333n),
  fc.bigInt({ min: 1_000n, max: 100_000_000_000n }),
);
const decimals = fc.constantFrom(0, 1, 2);

describe('what is written down', () => {
  test.each([
    // amount in minor units, rate, currency, credits in hundredths, cost
    [10_000n, 1_000_000n, 'BAHT', 10_000n, 10_000n],
    [10_000n, 10_000_000n, 'BAHT', 1_000n, 10_000n],
    [10_005n, 10_000_000n, 'BAHT', 1_000n, 10_000n],
    [9n, 10_000_000n, 'BAHT', 0n, 0n],
    [1_000n, 1_000_000n, 'LAK', 100_000n, 1_000n],
    [1_000n, 700_000_000n, 'LAK', 142n, 994n],
    [6n, 700_000_000n, 'LAK', 0n, 0n],
  ] as const)('%i at %i in %s buys %i for %i', (amountMinor, rateMicro, unit, credits, cost) => {
    expect(creditsFor(amountMinor, rateMicro, unit, 2)).toBe(credits);
    expect(costUp(credits, rateMicro, unit)).toBe(cost);
  });

  test('whole-credit providers take whole credits', () => {
    expect(creditsFor(12_345n, 10_000_000n, 'BAHT', 0)).toBe(1_200n);
    expect(roundToProvider(1_299n, 0)).toBe(1_200n);
    expect(roundToProvider(1_299n, 1)).toBe(1_290n);
    expect(roundToProvider(1_299n, 2)).toBe(1_299n);
  });
});

describe('for every amount, rate and currency', () => {
  test('credits bought never cost more than was offered', () => {
    fc.assert(
      fc.property(amount, rate, currency, decimals, (offered, rateMicro, unit, places) => {
        const credits = creditsFor(offered, rateMicro, unit, places);
        expect(costUp(credits, rateMicro, unit)).toBeLessThanOrEqual(offered);
      }),
    );
  });

  test('nothing comes out worth more than it cost, and the difference is less than one minor unit', () => {
    fc.assert(
      fc.property(amount, rate, currency, (credits, rateMicro, unit) => {
        const lost = costUp(credits, rateMicro, unit) - valueDown(credits, rateMicro, unit);
        expect(lost === 0n || lost === 1n).toBe(true);
      }),
    );
  });

  test('a hundred round trips gain nothing', () => {
    fc.assert(
      fc.property(amount, rate, currency, decimals, (start, rateMicro, unit, places) => {
        let wallet = start;
        for (let trip = 0; trip < 100; trip++) {
          const credits = creditsFor(wallet, rateMicro, unit, places);
          wallet += valueDown(credits, rateMicro, unit) - costUp(credits, rateMicro, unit);
          expect(wallet).toBeLessThanOrEqual(start);
          expect(wallet).toBeGreaterThanOrEqual(0n);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('taking credits out in parts never yields more than taking them at once', () => {
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 2, maxLength: 5 }),
        rate,
        currency,
        (parts, rateMicro, unit) => {
          const apart = parts.reduce((sum, part) => sum + valueDown(part, rateMicro, unit), 0n);
          const whole = parts.reduce((sum, part) => sum + part, 0n);
          expect(apart).toBeLessThanOrEqual(valueDown(whole, rateMicro, unit));
        },
      ),
    );
  });

  test('covering credits are worth the amount, and one step fewer is not', () => {
    fc.assert(
      fc.property(amount, rate, currency, decimals, (wanted, rateMicro, unit, places) => {
        const credits = creditsCovering(wanted, rateMicro, unit, places);
        const step = 10n ** BigInt(2 - places);
        expect(valueDown(credits, rateMicro, unit)).toBeGreaterThanOrEqual(wanted);
        expect(valueDown(credits - step, rateMicro, unit)).toBeLessThan(wanted);
        expect(credits % step).toBe(0n);
      }),
    );
  });

  test('whole units of both stay exact', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.constantFrom(1n, 10n),
        currency,
        (units, times, unit) => {
          const minor = BigInt(units) * times * 10n ** BigInt(CURRENCY_DECIMALS[unit]);
          const credits = creditsFor(minor, times * 1_000_000n, unit, 2);
          expect(credits).toBe(BigInt(units) * 100n);
          expect(valueDown(credits, times * 1_000_000n, unit)).toBe(minor);
        },
      ),
    );
  });
});
