import { describe, expect, test } from 'vitest';
import vectors from './fixtures/slip-qr-vectors.json' with { type: 'json' };
import { encodeSlipCode, parseSlipCode } from './slip-qr.ts';

describe('the mini QR of a slip', () => {
  test.each(vectors.vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    const expected = vector.expect as Record<string, unknown>;
    const read = parseSlipCode(vector.payload);
    if (expected.error) {
      expect(read).toBe(expected.error);
      return;
    }
    const { type, repaired: _repaired, ...rest } = expected;
    expect(read).toEqual({ kind: type, ...rest });
  });

  test('is read back as it was written', () => {
    const slip = { sendingBank: '014', transRef: '20260305ABCDEF123456' };
    expect(parseSlipCode(encodeSlipCode(slip))).toEqual({ kind: 'bank', ...slip });
    expect(encodeSlipCode({ sendingBank: '004', transRef: '015065120023APP00001' })).toBe(
      '0041000600000101030040220015065120023APP000015102TH91040BD7',
    );
  });

  test('is not written for what no bank prints', () => {
    expect(() => encodeSlipCode({ sendingBank: '14', transRef: '20260305ABCDEF123456' })).toThrow(RangeError);
    expect(() => encodeSlipCode({ sendingBank: '014', transRef: 'ก'.repeat(20) })).toThrow(RangeError);
  });

  test.each(['', '9104', '00', 'x'.repeat(5000), '0002019104FFFF', '5102TH91041234'])(
    'garbage %j is none',
    (text) => {
      expect(parseSlipCode(text)).toBe('NOT_A_SLIP');
    },
  );
});
