import { expect, test } from 'vitest';
import { accountText, badgeLetters, firstLetter, initials, phoneText } from './account-text.ts';

test('an account number of ten characters reads 3-3-rest, any other as its bank prints it', () => {
  expect(accountText('1234567890', 'KBANK')).toBe('123-456-7890');
  expect(accountText('020123456789', 'GSB')).toBe('020-1-23456-789');
  expect(accountText('123456789012', 'BCEL')).toBe('123456789012');
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

test('no two names share their letters, also where they were chosen alike', () => {
  const badges = [
    { name: 'Naga Tales', letters: '' },
    { name: 'Night Table', letters: 'NT' },
    { name: 'Nine Tigers', letters: '' },
    { name: 'Kick-off', letters: 'KO' },
  ];
  expect(badgeLetters(badges)).toEqual(['NT', 'NI', 'NN', 'KO']);
});
