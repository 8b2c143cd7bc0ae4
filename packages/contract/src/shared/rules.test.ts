import { describe, expect, test } from 'vitest';
import { ERROR_CODES, IDENTITY_CODES } from './codes.ts';
import { ENGLISH_NAME_BANKS, isEnglishName, joinAccountName, normalisePhone, quickAmounts } from './rules.ts';

describe('a Thai phone', () => {
  test.each(['0812345678', '0000000000', '9999999999'])('%s is taken as typed', (typed) => {
    expect(normalisePhone(typed, 'th')).toBe(typed);
  });

  test.each([
    '',
    '081234567',
    '08123456789',
    '081-234-5678',
    ' 0812345678',
    '0812345678\n',
    '+66812345678',
    '๐๘๑๒๓๔๕๖๗๘',
    '０８１２３４５６７８',
    '0x12345678',
    '081234567.',
  ])('%j is none', (typed) => {
    expect(normalisePhone(typed, 'th')).toBeNull();
  });
});

describe('a Lao phone', () => {
  test('has any length up to twenty digits', () => {
    expect(normalisePhone('7', 'la')).toBe('7');
    expect(normalisePhone('1'.repeat(20), 'la')).toBe('1'.repeat(20));
  });

  test.each(['', '0', '+856', '+8560', 'abc', '20 55x', '1'.repeat(21), '+855123', '໒໐໕໕'])(
    '%j is none',
    (typed) => {
      expect(normalisePhone(typed, 'la')).toBeNull();
    },
  );
});

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
