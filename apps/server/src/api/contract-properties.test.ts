import {
  AMOUNT_MINOR_MAX,
  type Currency,
  crc16,
  decimalToMinor,
  encodeBillPayment,
  fromMinor,
  minorToDecimal,
  normalisePhone,
  parseBillPayment,
  QR_AMOUNT_MINOR_MAX,
  toMinor,
} from '@krapao/contract/shared';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const reference = fc.stringMatching(/^[A-Z0-9]{1,20}$/);
const payment = fc.record(
  {
    billerId: fc.stringMatching(/^\d{13,15}$/),
    reference1: reference,
    reference2: reference,
    amountMinor: fc.bigInt({ min: 1n, max: QR_AMOUNT_MINOR_MAX }),
  },
  { requiredKeys: ['billerId', 'reference1'] },
);

const currency = fc.constantFrom<Currency>('BAHT', 'LAK');
const minor = fc.bigInt({ min: 1n, max: AMOUNT_MINOR_MAX });
/** Lao numbers without a prefix of their own. */
const number = fc.stringMatching(/^[1-79]\d{3,15}$/);

describe('a wire amount', () => {
  test('goes out and comes back exactly, through JSON too', () => {
    fc.assert(
      fc.property(minor, currency, (value, unit) => {
        const wire = JSON.parse(JSON.stringify(fromMinor(value, unit)));
        expect(toMinor(wire, unit)).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('with any number is a whole positive count of minor units, or none', () => {
    fc.assert(
      fc.property(fc.double(), currency, (amount, unit) => {
        const value = toMinor(amount, unit);
        if (value === null) return;
        expect(value > 0n && value <= AMOUNT_MINOR_MAX).toBe(true);
        expect(fromMinor(value, unit)).toBe(amount);
      }),
    );
  });

  test('and minor units turn into each other', () => {
    fc.assert(
      fc.property(minor, fc.constantFrom(0, 2), (value, decimals) => {
        const text = minorToDecimal(value, decimals);
        expect(text).toMatch(decimals === 0 ? /^\d+$/ : /^\d+\.\d\d$/);
        expect(decimalToMinor(text, decimals)).toBe(value);
      }),
    );
  });
});

describe('a bill payment', () => {
  test('never passes a text in which one character was changed or which was cut', () => {
    fc.assert(
      fc.property(
        payment,
        fc.nat(),
        fc.constantFrom('0', '7', 'A', 'Z', ' '),
        (made, position, character) => {
          const text = encodeBillPayment(made);
          const at = position % text.length;
          fc.pre(text[at] !== character);
          expect(parseBillPayment(text.slice(0, at) + character + text.slice(at + 1))).toBeNull();
          expect(parseBillPayment(text.slice(0, at))).toBeNull();
        },
      ),
    );
  });

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseBillPayment(text)).toBeNull();
        const sealed = `${text}6304`;
        expect(() => parseBillPayment(sealed + crc16(sealed))).not.toThrow();
      }),
    );
  });

  test('reads back as it was written', () => {
    fc.assert(
      fc.property(payment, (made) => {
        expect(parseBillPayment(encodeBillPayment(made))).toEqual(made);
      }),
    );
  });
});

describe('a phone', () => {
  test('is ten digits or none, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(normalisePhone(typed, 'th')).toSatisfy((phone) => phone === null || /^\d{10}$/.test(phone));
      }),
    );
  });

  test('is the same however it is written', () => {
    fc.assert(
      fc.property(
        number,
        fc.constantFrom('', '0', '+856', '+8560'),
        fc.constantFrom('', ' ', '-', '.'),
        (digits, prefix, separator) => {
          const written = prefix + digits.replace(/(..)(?=.)/g, `$1${separator}`);
          expect(normalisePhone(written, 'la')).toBe(digits);
        },
      ),
    );
  });
});
