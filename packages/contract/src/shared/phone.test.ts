import { describe, expect, test } from 'vitest';
import { normalisePhone } from './phone.ts';

describe('a Thai phone', () => {
  test.each(['0812345678', '0000000000', '9999999999'])('%s is taken as typed', (typed) => {
    expect(normalisePhone(typed, 'th')).toBe(typed);
  });

  test.each([
    '081-234-5678',
    '081 234 5678',
    ' 0812345678',
    '0812345678\n',
    '(081) 234.5678',
    '081\u2011234\u20135678',
    '\u202a0812345678\u202c',
    '+66812345678',
    '+66 81 234 5678',
    '+66 (0)81-234-5678',
    '66812345678',
    '0066812345678',
    '๐๘๑๒๓๔๕๖๗๘',
    '０８１２３４５６７８',
  ])('%j is 0812345678', (typed) => {
    expect(normalisePhone(typed, 'th')).toBe('0812345678');
  });

  test('of ten digits that begins with the country code stays as typed', () => {
    expect(normalisePhone('6681234567', 'th')).toBe('6681234567');
  });

  test.each([
    '',
    '081234567',
    '08123456789',
    '+0812345678',
    '+856812345678',
    '0x12345678',
    '081234567a',
    '+66',
    '٠٨١٢٣٤٥٦٧٨',
  ])('%j is none', (typed) => {
    expect(normalisePhone(typed, 'th')).toBeNull();
  });
});

describe('a Lao phone', () => {
  test('has any length up to twenty digits', () => {
    expect(normalisePhone('7', 'la')).toBe('7');
    expect(normalisePhone('1'.repeat(20), 'la')).toBe('1'.repeat(20));
  });

  test.each([
    '020 5555 1234',
    '+856 20 5555 1234',
    '00856-20-55551234',
    '໒໐໕໕໕໕໑໒໓໔',
    '2055551234',
    '856 20 5555 1234',
    '856 020 5555 1234',
  ])('%j is 2055551234', (typed) => {
    expect(normalisePhone(typed, 'la')).toBe('2055551234');
  });

  test('of a landline drops the country code too', () => {
    expect(normalisePhone('85621212345', 'la')).toBe('21212345');
  });

  test.each(['856', '85612345', '8561234567'])('%s is too short to contain a country code', (typed) => {
    expect(normalisePhone(typed, 'la')).toBe(typed);
  });

  test.each(['', '0', '+856', '+8560', 'abc', '20 55x', '1'.repeat(21), '+855123'])('%j is none', (typed) => {
    expect(normalisePhone(typed, 'la')).toBeNull();
  });
});
