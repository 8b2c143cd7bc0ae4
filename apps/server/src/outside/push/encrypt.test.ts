import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { areKeys, encryptPush } from './encrypt.ts';

/** The example of RFC 8291, appendix A. */
const EXAMPLE = {
  plain: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};
const decoded = (text: string) => Buffer.from(text, 'base64url');

test('a message is encrypted as the standard’s own example is', () => {
  const body = encryptPush(EXAMPLE, EXAMPLE.plain, {
    privateKey: decoded(EXAMPLE.privateKey),
    salt: decoded(EXAMPLE.salt),
  });
  expect(body.toString('base64url')).toBe(EXAMPLE.body);
});

test('two messages with the same words have nothing in common', () => {
  const [one, other] = [encryptPush(EXAMPLE, EXAMPLE.plain), encryptPush(EXAMPLE, EXAMPLE.plain)];
  expect(one.subarray(0, 16)).not.toEqual(other.subarray(0, 16));
  expect(one.subarray(86)).not.toEqual(other.subarray(86));
});

test('keys are a point of the curve and sixteen bytes', () => {
  expect(areKeys(EXAMPLE)).toBe(true);
  const beside = Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url');
  expect(areKeys({ ...EXAMPLE, p256dh: beside })).toBe(false);
  expect(areKeys({ ...EXAMPLE, p256dh: '' })).toBe(false);
  expect(areKeys({ ...EXAMPLE, auth: randomBytes(15).toString('base64url') })).toBe(false);
});
