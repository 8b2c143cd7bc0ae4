import { createDecipheriv, createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hideLink, md5 } from './gift-cipher.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('md5 is RFC 1321: its test suite, and every length around a block', () => {
  const suite: [string, string][] = [
    ['', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a', '0cc175b9c0f1b6a831c399e269772661'],
    ['abc', '900150983cd24fb0d6963f7d28e17f72'],
    ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
    [
      '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
      '57edf4a22be3c955ac49da2e2107b67a',
    ],
  ];
  for (const [text, digest] of suite) expect(hex(md5(Buffer.from(text)))).toBe(digest);
  for (let length = 0; length < 200; length++) {
    const bytes = Buffer.alloc(length, length);
    expect(hex(md5(bytes))).toBe(createHash('md5').update(bytes).digest('hex'));
  }
});

test('a hidden link shows nothing of it, is the same each time, and can be read with the passphrase', async () => {
  const link = 'https://gift.truemoney.com/campaign/?v=0123456789abcdefABCDEF0123456789abc ซองของขวัญ';
  const hidden = await hideLink(link, 'example-passphrase');
  expect(hidden).toMatch(/^U2FsdGVkX1/);
  expect(hidden).not.toContain('gift');
  expect(await hideLink(link, 'example-passphrase')).toBe(hidden);
  expect(await hideLink(`${link}.`, 'example-passphrase')).not.toBe(hidden);
  const bytes = Buffer.from(hidden, 'base64');
  const secret = Buffer.concat([Buffer.from('example-passphrase'), bytes.subarray(8, 16)]);
  const digest = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const [one, two] = [digest(secret), digest(digest(secret), secret)];
  const decipher = createDecipheriv('aes-256-cbc', Buffer.concat([one, two]), digest(two, secret));
  expect(Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString()).toBe(link);
});
