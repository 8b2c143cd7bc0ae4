import { expect, test } from 'vitest';
import { bankName } from './bank-name.ts';

test('a bank is named in the reader’s script, or in English', () => {
  const kbank = { bankName: 'ธนาคารกสิกรไทย', bankNameEn: 'Kasikornbank' };
  const bcel = { bankName: 'ທະນາຄານການຄ້າຕ່າງປະເທດລາວ ມະຫາຊົນ', bankNameEn: 'BCEL' };
  const named = (['th', 'la', 'en'] as const).map((language) => [
    bankName(kbank, language),
    bankName(bcel, language),
  ]);
  expect(named).toEqual([
    ['ธนาคารกสิกรไทย', 'BCEL'],
    ['Kasikornbank', 'ທະນາຄານການຄ້າຕ່າງປະເທດລາວ ມະຫາຊົນ'],
    ['Kasikornbank', 'BCEL'],
  ]);
});
