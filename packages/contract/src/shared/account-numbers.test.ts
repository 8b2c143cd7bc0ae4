import { expect, test } from 'vitest';
import { normaliseAccountNo, printedAccountNo, slipAccountNo } from './account-numbers.ts';

test.each([
  ['KBANK', '1234567890', '123-4-56789-0', 'xxx-x-x6789-x'],
  ['TMB', '1234567890', '123-456789-0', 'xxx-xx6789-x'],
  ['UOB', '1234567890', '123-456-789-0', 'xxx-xx6-789-x'],
  ['GSB', '020123456789', '020-1-23456-789', 'xxx-x-xxx56-78x'],
  ['TISCO', '12345678901234', '1234-567-890123-4', 'xxxx-xxx-xx0123-x'],
  ['KKP', '12345678901234', '12345678901234', 'xxxxxxxxx0123x'],
  ['BCEL', '0101234567', '0101234567', 'xxxxx3456x'],
])('an account number at %s: %s reads %s, on a slip %s', (bank, number, printed, masked) => {
  expect(printedAccountNo(number, bank)).toBe(printed);
  expect(slipAccountNo(number, bank)).toBe(masked);
});

test.each([
  ['123-4-56789-0', '1234567890'],
  [' 123 4567890\u200b', '1234567890'],
  ['123\u20114567\u2013890', '1234567890'],
  ['๑๒๓', '123'],
  ['໑໒໓', '123'],
  ['１２３', '123'],
  ['010๑20012345', '010120012345'],
])('%j is the account number %s', (typed, number) => {
  expect(normaliseAccountNo(typed)).toBe(number);
});

test.each(['', ' - ', '123456789O', '123.456', '+123', '123/456', '١٢٣'])(
  '%j is no account number',
  (typed) => {
    expect(normaliseAccountNo(typed)).toBeNull();
  },
);
