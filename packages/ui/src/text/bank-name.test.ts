import { expect, test } from 'vitest';
import { bankNameIn, shortBankNameIn } from './bank-name.ts';

const SCB = { nameTH: 'ธนาคารไทยพาณิชย์', nameEN: 'Siam Commercial Bank', nameLA: 'ທະນາຄານໄທພານິດ' };
const UOB = { nameTH: 'ธนาคารยูโอบี', nameEN: 'United Overseas Bank (Thai)' };
const LDB = { nameTH: 'ທະນາຄານພັດທະນາລາວ', nameEN: 'Lao Development Bank', nameLA: 'ທະນາຄານພັດທະນາລາວ' };

test.each([
  [SCB, 'ไทยพาณิชย์', 'ໄທພານິດ', 'Siam Commercial Bank'],
  [UOB, 'ยูโอบี', 'United Overseas Bank (Thai)', 'United Overseas Bank (Thai)'],
  [LDB, 'Lao Development Bank', 'ພັດທະນາລາວ', 'Lao Development Bank'],
])('a bank is named in the script of the reader, else in English: $nameEN', (bank, th, la, en) => {
  expect((['th', 'la', 'en'] as const).map((language) => shortBankNameIn(bank, language))).toEqual([
    th,
    la,
    en,
  ]);
});

test('a bank without a Lao name of its own keeps one that is Lao already', () => {
  expect(bankNameIn({ nameTH: LDB.nameTH, nameEN: LDB.nameEN }, 'la')).toBe(LDB.nameTH);
});
