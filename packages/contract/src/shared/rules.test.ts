import { describe, expect, test } from 'vitest';
import { ERROR_CODES, IDENTITY_CODES } from './codes.ts';
import { ENGLISH_NAME_BANKS, isEnglishName, joinAccountName, quickAmounts } from './rules.ts';

describe('account names', () => {
  test('are joined in capitals with one space, accents and tone marks whole', () => {
    expect(joinAccountName('  somchai ', ' jai  dee ')).toBe('SOMCHAI JAI DEE');
    expect(joinAccountName('สมชาย', 'น้ำใส')).toBe('สมชาย น้ำใส');
    expect(joinAccountName('e\u0301', '')).toBe('\u00c9');
  });

  test.each([
    ['SOMCHAI JAIDEE', true],
    ['a', true],
    ['SOMCHAI  JAIDEE', false],
    [' A', false],
    ['A ', false],
    ['สมชาย', false],
    ['O\u2019NEIL', false],
    ['A1', false],
    ['', false],
  ])('%j in English letters: %s', (name, english) => {
    expect(isEnglishName(name)).toBe(english);
  });
});

describe('fixed lists', () => {
  test('hold each code once, and the identity codes among them', () => {
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
    expect(ERROR_CODES).toEqual(expect.arrayContaining([...IDENTITY_CODES]));
  });

  test('are those of the specification', () => {
    expect(ENGLISH_NAME_BANKS).toEqual(['KTB', 'TMB', 'BBL']);
    expect(quickAmounts('KBANK', 'BAHT')).toEqual([10, 20, 50, 100, 500, 1000]);
    expect(quickAmounts('WW', 'BAHT')).toEqual([100, 200, 300, 500, 1000]);
    expect(quickAmounts('ZAPMAN', 'BAHT')).toEqual([100, 200, 300, 500, 1000]);
    for (const amount of quickAmounts('BCEL', 'LAK')) expect(amount).toBeGreaterThanOrEqual(700);
  });
});
