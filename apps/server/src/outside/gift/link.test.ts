import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import vectors from './fixtures/angpao-vectors.json' with { type: 'json' };
import { readGiftCode } from './link.ts';

const PASSPHRASE = 'example-passphrase';
const CODE = '0123456789abcdefABCDEF0123456789abc';
const LINK = `https://gift.truemoney.com/campaign/?v=${CODE}`;

/** Hides bytes as the clients do. */
function hide(plain: Buffer, passphrase = PASSPHRASE): string {
  const salt = Buffer.from('0001020304050607', 'hex');
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const secret = Buffer.concat([Buffer.from(passphrase), salt]);
  const [one, two] = [md5(secret), md5(md5(secret), secret)];
  const three = md5(two, secret);
  const cipher = createCipheriv('aes-256-cbc', Buffer.concat([one, two]), three);
  return Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(plain), cipher.final()]).toString(
    'base64',
  );
}

describe('the voucher code', () => {
  test.each(vectors.envelope)('is read from the known cipher text: $name', (vector) => {
    expect(readGiftCode(vector.ciphertextBase64, vector.passphrase)).toBe(CODE);
    expect(readGiftCode(vector.plaintext, 'any')).toBe(CODE);
  });

  test.each(vectors.links)('of $input', ({ input, code }) => {
    expect(readGiftCode(input, PASSPHRASE)).toBe(code ?? null);
    expect(readGiftCode(hide(Buffer.from(input)), PASSPHRASE)).toBe(code ?? null);
  });

  test.each([
    ['another host in the user part', `https://gift.truemoney.com@evil.example/campaign/?v=${CODE}`],
    ['a password', `https://a:b@gift.truemoney.com/campaign/?v=${CODE}`],
    ['another port', `https://gift.truemoney.com:8443/campaign/?v=${CODE}`],
    ['another path', `https://gift.truemoney.com/campaign/vouchers/x/redeem?v=${CODE}`],
    ['another scheme', `javascript://gift.truemoney.com/campaign/?v=${CODE}`],
    ['a code of 129 characters', `https://gift.truemoney.com/campaign/?v=${'a'.repeat(129)}`],
    ['a code with a line break', `https://gift.truemoney.com/campaign/?v=abc%0Adef`],
    ['two links', `${LINK} ${LINK}x`],
    ['only a code', CODE],
    ['nothing', ''],
    ['2,049 characters', `${LINK} ${'x'.repeat(2048 - LINK.length)}`],
  ])('is not found with %s', (_what, sent) => {
    expect(readGiftCode(sent, PASSPHRASE)).toBeNull();
  });

  test.each([null, undefined, 5, true, {}, [LINK], { link: LINK }])('is not found in %j', (sent) => {
    expect(readGiftCode(sent, PASSPHRASE)).toBeNull();
  });
});

describe('cipher text', () => {
  test('under another passphrase, cut, changed or empty is no link', () => {
    const good = hide(Buffer.from(LINK));
    expect(readGiftCode(good, PASSPHRASE)).toBe(CODE);
    for (let number = 0; number < 600; number++) expect(readGiftCode(good, `p${number}`)).toBeNull();
    for (const bad of [
      good.slice(0, -4),
      good.slice(0, 24),
      'U2FsdGVkX1',
      'U2FsdGVkX18=',
      `${good}!`,
      good.replace(/.{4}$/, 'AAA='),
    ])
      expect(readGiftCode(bad, PASSPHRASE)).toBeNull();
  });

  test('of bytes that are no UTF-8 is no link', () => {
    const odd = Buffer.concat([Buffer.from(LINK), Buffer.from([0xff, 0xfe])]);
    expect(readGiftCode(hide(odd), PASSPHRASE)).toBeNull();
  });
});
