import { describe, expect, test } from 'vitest';
import known from './fixtures/lao-qr-vectors.json' with { type: 'json' };
import { laoQrWithAmount, parseLaoQr } from './lao-qr.ts';

const STATIC = known.vectors[0]!.payload;

describe('a LAO QR', () => {
  test.each(known.vectors.map((vector) => [vector.name, vector] as const))(
    '%s',
    (_name, { payload, expect: wanted }) => {
      const read = parseLaoQr(payload);
      expect(read).toMatchObject({
        institution: wanted.iin,
        paymentType: wanted.paymentType,
        receiver: wanted.receiver,
        ...('amountMinor' in wanted ? { amountMinor: BigInt(wanted.amountMinor!) } : {}),
        ...('billNumber' in wanted ? { billNumber: wanted.billNumber } : {}),
      });
      expect(parseLaoQr(payload.slice(0, -4) + payload.slice(-4).toLowerCase())).toEqual(read);
      expect(parseLaoQr(payload.slice(0, -5))).toBeNull();
      expect(parseLaoQr(payload.replace('LA', 'TH'))).toBeNull();
    },
  );

  test('accepts an amount once, for the same receiver', () => {
    const made = laoQrWithAmount(STATIC, 50_000n)!;
    expect(made.slice(6, 12)).toBe('010212');
    expect(parseLaoQr(made)).toEqual({ ...parseLaoQr(STATIC), amountMinor: 50_000n });
    expect(laoQrWithAmount(made, 50_000n)).toBeNull();
    expect(laoQrWithAmount(STATIC, 0n)).toBeNull();
    expect(laoQrWithAmount('text', 1n)).toBeNull();
  });
});
