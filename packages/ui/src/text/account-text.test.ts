import { expect, test } from 'vitest';
import { accountText, firstLetter, initials, phoneText } from './account-text.ts';

test('an account number of ten characters reads 3-3-rest, any other stays', () => {
  expect(accountText('1234567890')).toBe('123-456-7890');
  expect(accountText('123456789012')).toBe('123456789012');
});

test('a Thai phone number is spaced, a Lao one stays as typed', () => {
  expect(phoneText('0815550142')).toBe('081 555 0142');
  expect(phoneText('2055550142')).toBe('205 555 0142');
  expect(phoneText('20555501')).toBe('20555501');
});

test('letters that stand for a name never begin with a leading vowel', () => {
  expect(initials('Naga Tales')).toBe('NT');
  expect(initials('Kick-off')).toBe('KI');
  expect(firstLetter('เกษม')).toBe('ก');
  expect(firstLetter('ໄຊ')).toBe('ຊ');
});
