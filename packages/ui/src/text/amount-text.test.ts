import { describe, expect, test } from 'vitest';
import { amountText, cleanAmount, parseAmount, shortAmount, splitAmount } from './amount-text.ts';

describe('amounts', () => {
  test('always show two decimals and grouping commas, whatever the language of the machine', () => {
    expect(amountText(1234.5)).toBe('1,234.50');
    expect(amountText(0)).toBe('0.00');
    expect(amountText(1_234_567)).toBe('1,234,567.00');
    expect(splitAmount(12_480.75)).toEqual({ head: '12,480', tail: '.75' });
    expect(shortAmount(5000)).toBe('5,000');
  });

  test('are read as typed, with no more decimals than the currency has', () => {
    expect(parseAmount('1,234.50', 'BAHT')).toBe(1234.5);
    expect(parseAmount('100.', 'BAHT')).toBe(100);
    expect(parseAmount('0', 'BAHT')).toBe(0);
    expect(parseAmount('1.234', 'BAHT')).toBeNull();
    expect(parseAmount('1.5', 'LAK')).toBeNull();
    expect(parseAmount('', 'BAHT')).toBeNull();
    expect(parseAmount('-1', 'BAHT')).toBeNull();
    expect(parseAmount('1e3', 'BAHT')).toBeNull();
  });

  test('keep only what an amount can hold while they are typed', () => {
    expect(cleanAmount('฿1,234.50 ')).toBe('1234.50');
    expect(cleanAmount('.5')).toBe('0.5');
    expect(cleanAmount('007')).toBe('7');
  });
});
