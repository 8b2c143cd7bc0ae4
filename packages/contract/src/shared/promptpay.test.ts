import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AMOUNT_MINOR_MAX } from './money.ts';
import { crc16, encodeBillPayment, parseBillPayment, parseTlv } from './promptpay.ts';

interface Vector {
  name: string;
  kind: 'tag29' | 'tag30';
  expect: { error?: string; billerId?: string; ref1?: string; ref2?: string; amountMinor?: number };
  payload: string;
}
const vectors: { crcSelfTest: { input: string; hex: string }; vectors: Vector[] } = JSON.parse(
  readFileSync(new URL('./fixtures/promptpay-vectors.json', import.meta.url), 'utf8'),
);
const billPayments = vectors.vectors.filter(({ kind }) => kind === 'tag30');
const others = vectors.vectors.filter(({ kind }) => kind !== 'tag30');

const reference = fc.stringMatching(/^[A-Z0-9]{1,20}$/);
const payment = fc.record(
  {
    billerId: fc.stringMatching(/^\d{13,15}$/),
    reference1: reference,
    reference2: reference,
    amountMinor: fc.bigInt({ min: 1n, max: AMOUNT_MINOR_MAX }),
  },
  { requiredKeys: ['billerId', 'reference1'] },
);

test('the checksum is CRC-16/CCITT-FALSE, with its leading zeros', () => {
  expect(crc16(vectors.crcSelfTest.input)).toBe(vectors.crcSelfTest.hex);
  expect(crc16('')).toBe('FFFF');
  for (const { payload, expect: expected } of vectors.vectors)
    if (!expected.error) expect(crc16(payload.slice(0, -4))).toBe(payload.slice(-4));
});

describe('reading a bill payment', () => {
  test.each(billPayments)('$name', ({ payload, expect: expected }) => {
    expect(parseBillPayment(payload)).toEqual({
      billerId: expected.billerId,
      reference1: expected.ref1,
      ...(expected.ref2 === undefined ? {} : { reference2: expected.ref2 }),
      ...(expected.amountMinor === undefined ? {} : { amountMinor: BigInt(expected.amountMinor) }),
    });
  });

  test.each(others)('$name is none', ({ payload }) => {
    expect(parseBillPayment(payload)).toBeNull();
  });

  test('takes the checksum in small letters', () => {
    const { payload } = billPayments.find((one) => /[A-F]/.test(one.payload.slice(-4)))!;
    expect(parseBillPayment(payload.slice(0, -4) + payload.slice(-4).toLowerCase())).not.toBeNull();
  });

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
});

describe('writing a bill payment', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(payment, (made) => {
        expect(parseBillPayment(encodeBillPayment(made))).toEqual(made);
      }),
    );
  });

  test('says by its second field whether an amount is fixed', () => {
    const base = { billerId: '010753600031501', reference1: 'QR1' };
    expect(encodeBillPayment(base)).toMatch(/^000201010211/);
    expect(encodeBillPayment({ ...base, amountMinor: 12_345n })).toMatch(/^000201010212.*5406123\.45/);
  });

  test.each(['', 'abc', 'A B', 'A-1', 'ก', 'A'.repeat(21)])('refuses %j as a reference', (bad) => {
    const base = { billerId: '010753600031501', reference1: 'QR1' };
    expect(() => encodeBillPayment({ ...base, reference1: bad })).toThrow(RangeError);
    expect(() => encodeBillPayment({ ...base, reference2: bad })).toThrow(RangeError);
  });
});

describe('TLV', () => {
  test.each([
    ['', []],
    ['0002010102', null],
    ['000201', [['00', '01']]],
    ['00020100 201', null],
    ['0002010002AB', null],
    ['0099x', null],
    ['xx02ab', null],
    ['5400', [['54', '']]],
  ])('%j is %j', (text, fields) => {
    expect(parseTlv(text)).toEqual(fields === null ? null : new Map(fields as [string, string][]));
  });
});
