import { describe, expect, test } from 'vitest';
import known from './fixtures/promptpay-vectors.json' with { type: 'json' };
import { crc16, encodeBillPayment, parseBillPayment, parseTlv } from './promptpay.ts';

interface Vector {
  name: string;
  kind: 'tag29' | 'tag30';
  expect: { error?: string; billerId?: string; ref1?: string; ref2?: string; amountMinor?: number };
  payload: string;
}
const vectors: { crcSelfTest: { input: string; hex: string }; vectors: Vector[] } = known as never;
const billPayments = vectors.vectors.filter(({ kind }) => kind === 'tag30');
const others = vectors.vectors.filter(({ kind }) => kind !== 'tag30');

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
});

describe('writing a bill payment', () => {
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
