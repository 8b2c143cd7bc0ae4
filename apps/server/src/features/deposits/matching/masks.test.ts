import { describe, expect, test } from 'vitest';
import {
  compareAccounts,
  compareHolders,
  compareNames,
  maskAccount,
  nameWords,
  storedMask,
} from './masks.ts';

describe('an account against what a bank shows of it', () => {
  test.each([
    ['xxx-x-x6789-x', '1234567890', 'match'],
    ['xxx-x-x6788-x', '1234567890', 'mismatch'],
    ['xxx-x-xxx89-x', '1234567890', 'unsure'],
    ['XXX-X-XX789-0', '1234567890', 'match'],
    ['1234567890', '1234567890', 'match'],
    ['1234567891', '1234567890', 'mismatch'],
    ['xxxxxxxxxx', '1234567890', 'unsure'],
    ['', '1234567890', 'unsure'],
    ['******7890', 'xxx-x-x6789-x', 'match'],
    ['xxx-x-x5678-x', '020123456789', 'match'],
  ])('%s and %s: %s', (shown, known, expected) => {
    expect(compareAccounts(shown, known)).toBe(expected);
  });

  test('a full number is never stored', () => {
    expect(maskAccount('123-4-56789-0')).toBe('xxx-x-x6789-x');
    expect(storedMask('1234567890')).toBe('xxx-x-x6789-x');
    expect(storedMask('xx-12')).toBe('xx-12');
    expect(storedMask('')).toBe('');
  });
});

describe('a name against what a bank prints of it', () => {
  test.each([
    ['นาย ธนาคาร ก', 'ธนาคาร กรุงเทพ', 'match'],
    ['นายธนาคาร กรุง', 'ธนาคาร กรุงเทพ', 'match'],
    ['น.ส. สมหญิง ใ***', 'สมหญิง ใจดี', 'match'],
    ['นางสาว สมหญิง ใจดี', 'นาง สมหญิง ใจดี', 'match'],
    ['MR. SOMCHAI J', 'Somchai Jaidee', 'match'],
    ['MRS SOMYING JAIDEE', 'SOMYING JAIDEE', 'match'],
    ['Miss Mali', 'Mali', 'match'],
    ['สม*** ใจดี', 'สมหญิง ใจดี', 'unsure'],
    ['นาย สมชาย', 'สมชาย ใจดี', 'unsure'],
    ['MR SOMCHAI J', 'สมชาย ใจดี', 'unsure'],
    ['', 'สมชาย ใจดี', 'unsure'],
    ['***', 'สมชาย ใจดี', 'unsure'],
    ['นาย สมชาย ก', 'สมชาย ใจดี', 'mismatch'],
    ['นาย สมหมาย ใ', 'สมชาย ใจดี', 'mismatch'],
  ])('%s and %s: %s', (shown, registered, expected) => {
    expect(compareNames(shown, registered)).toBe(expected);
  });

  test('a name that only begins like a title keeps its beginning', () => {
    expect(nameWords('Missy Elliott')).toEqual(['missy', 'elliott']);
    expect(nameWords('Mr.Somchai')).toEqual(['somchai']);
  });

  test('invisible characters and decomposed vowels make no difference', () => {
    expect(compareNames('นาย สม\u200bชาย ใ', 'สมชาย ใจดี')).toBe('match');
  });
});

describe('the receiver on a slip against the name of our account', () => {
  test.each([
    ['บริษัท กระเป๋า จำกัด', 'บริษัท กระเป๋า จำกัด', 'match'],
    ['บจก. กระเป๋า', 'บริษัท กระเป๋า จำกัด', 'match'],
    ['บริษัท กระเป๋า จ', 'บริษัท กระเป๋า จำกัด', 'match'],
    ['กระเป๋า จำกัด (มหาชน)', 'บมจ. กระเป๋า', 'match'],
    ['KRAPAO CO.,LTD.', 'Krapao Co Ltd', 'match'],
    ['ບໍລິສັດ ກະເປົາ ຈຳກັດ', 'ບໍລິສັດ ກະເປົາ', 'match'],
    ['นาย สมชาย ใ', 'สมชาย ใจดี', 'match'],
    ['KRAPAO CO LTD', 'บริษัท กระเป๋า จำกัด', 'unsure'],
    ['', 'บริษัท กระเป๋า จำกัด', 'unsure'],
    ['นาย กระเป๋า จ', 'บริษัท กระเป๋า จำกัด', 'mismatch'],
    ['บริษัท ธนาคาร จำกัด', 'บริษัท กระเป๋า จำกัด', 'mismatch'],
    ['น.ส. มานพ ผ', 'บริษัท กระเป๋า จำกัด', 'mismatch'],
  ])('%s and %s: %s', (shown, ours, expected) => {
    expect(compareHolders(shown, ours)).toBe(expected);
  });
});
