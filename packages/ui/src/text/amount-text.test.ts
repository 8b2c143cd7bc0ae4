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

  test('are the same as Intl.NumberFormat writes them', () => {
    const two = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
    const sizes = [
      0, 1, 9, 10, 99, 100, 999, 1000, 9999, 12_345, 100_000, 999_999, 1_000_000, 9_999_999_999_999,
    ];
    for (const size of sizes)
      for (const satang of [0, 1, 5, 10, 50, 99])
        for (const amount of [size + satang / 100, -(size + satang / 100) || 0]) {
          expect(amountText(amount)).toBe(two.format(amount));
          expect(shortAmount(amount)).toBe(short.format(amount));
        }
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

  test('are not read where a comma separates anything but thousands', () => {
    expect(parseAmount('1,000,000', 'BAHT')).toBe(1_000_000);
    for (const typed of ['100,50', '1,00,0', '1.000,50', '1,', ',5', '1000,000', '0,500'])
      expect(parseAmount(typed, 'BAHT')).toBeNull();
  });

  test('are read as the app writes them: in kip with two zeros, and with no other decimals', () => {
    for (const amount of [1, 50_000, 1_234_567])
      expect(parseAmount(cleanAmount(`${amountText(amount)} ກີບ`), 'LAK')).toBe(amount);
    expect(parseAmount('50000.0', 'LAK')).toBe(50_000);
    for (const typed of ['50.000', '1.50', '1.05', '1.5']) expect(parseAmount(typed, 'LAK')).toBeNull();
    expect(parseAmount('1.000', 'BAHT')).toBeNull();
  });

  test('keep only what an amount can hold while they are typed', () => {
    expect(cleanAmount('฿1,234.50 ')).toBe('1234.50');
    expect(cleanAmount('.5')).toBe('0.5');
    expect(cleanAmount('007')).toBe('7');
    expect(cleanAmount('1๐0')).toBe('100');
    expect(cleanAmount('๕,໕００')).toBe('5500');
    expect(cleanAmount('1,000')).toBe('1000');
    // A decimal comma is no grouping: the form reports it.
    expect(cleanAmount('100,5')).toBe('100,5');
  });
});
