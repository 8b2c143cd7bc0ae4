import { describe, expect, test } from 'vitest';
import { AMOUNT_MINOR_MAX, decimalToMinor, minorToDecimal, toMinor } from './money.ts';

describe('a wire amount', () => {
  test.each([
    [1, 'BAHT', 100n],
    [0.01, 'BAHT', 1n],
    [0.1, 'BAHT', 10n],
    [123.45, 'BAHT', 12_345n],
    [0.29, 'BAHT', 29n],
    [1.15, 'BAHT', 115n],
    [8.2, 'BAHT', 820n],
    [100_000_000_000, 'BAHT', AMOUNT_MINOR_MAX],
    [700, 'LAK', 700n],
    [10_000_000_000_000, 'LAK', AMOUNT_MINOR_MAX],
  ] as const)('%d in %s is %d minor units', (amount, unit, expected) => {
    expect(toMinor(amount, unit)).toBe(expected);
  });

  test.each([
    0,
    -0,
    -1,
    -0.01,
    0.001,
    1.005,
    0.1 + 0.2,
    1e-7,
    1e21,
    1e300,
    5e-324,
    Number.MAX_SAFE_INTEGER,
    100_000_000_000.01,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1',
    '',
    null,
    undefined,
    true,
    [1],
    { valueOf: () => 1 },
    1n,
    new Date(1),
    Object(5),
  ])('%s is none in baht', (amount) => {
    expect(toMinor(amount, 'BAHT')).toBeNull();
  });

  test.each([0.5, 1.01, 700.5, 0.99])('%d is none in kip, which have no parts', (amount) => {
    expect(toMinor(amount, 'LAK')).toBeNull();
  });
});

describe('decimal text', () => {
  test.each([
    ['500.00', 2, 50_000n],
    ['500', 2, 50_000n],
    ['500.5', 2, 50_050n],
    ['0.01', 2, 1n],
    ['0', 2, 0n],
    ['500.000', 2, 50_000n],
    ['00500.00', 2, 50_000n],
    ['500', 0, 500n],
    ['500.00', 0, 500n],
  ] as const)('%s with %i decimals is %d', (text, decimals, expected) => {
    expect(decimalToMinor(text, decimals)).toBe(expected);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1.',
    '.5',
    '1e3',
    '1,000.00',
    '0x10',
    '1.001',
    '٣',
    '๑',
    'NaN',
    '1\n',
    '9999999999999999',
    '100000000000.01',
  ])('%j is none', (text) => {
    expect(decimalToMinor(text, 2)).toBeNull();
  });

  test('carries its sign before all digits', () => {
    expect([
      minorToDecimal(-5n, 2),
      minorToDecimal(-12_345n, 2),
      minorToDecimal(-7n, 0),
      minorToDecimal(0n, 2),
    ]).toEqual(['-0.05', '-123.45', '-7', '0.00']);
  });
});
