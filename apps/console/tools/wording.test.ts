import type { Language } from '@krapao/contract/shared';
import { expect, test } from 'vitest';
import { HELP as en } from '../src/help/en.ts';
import { HELP as la } from '../src/help/la.ts';
import { HELP as th } from '../src/help/th.ts';
import { readPo } from './catalogues.ts';

/** What a text of a language must not have, and why. */
const FAULTS: Record<Language, readonly [reason: string, fault: RegExp][]> = {
  th: [
    ['spelling', /โปรโมชั่น|อัพ|ลิ้งค์|แชท/],
    ['QR is written QR', /คิวอาร์/],
    ['a request begins with กรุณา', /โปรด/],
    ['turnover is ยอดเทิร์น', /เทิร์นโอเวอร์/],
    ['not said to operators', /ครับ|ค่ะ/],
  ],
  la: [
    ['spelling', /ຫນ|ຫມ|ຫລ|ຄັດລອກ|ແຊຣ໌|ບໍ່ຕົງກັນ|ກະເປົ໋າ/],
    ['QR is written QR', /ຄິວອາ/],
    ['money is ເຂົ້າເຄຣດິດ or ເພີ່ມ', /ເຕີມ/],
    ['a game provider is ຜູ້ໃຫ້ບໍລິການເກມ', /ຄ່າຍ|ຄ້າຍ/],
    ['support is ພະນັກງານ', /ເຈົ້າໜ້າທີ່/],
    ['a promotion code is ລະຫັດ', /ໂຄ້ດ/],
    ['a chat is ການສົນທະນາ', /ແຊັດ/],
    ['a guest is ຜູ້ເຂົ້າຊົມ', /ຜູ້ຢ້ຽມຊົມ/],
    ['to register is ລົງທະບຽນ', /ສະໝັກ/],
    ['turnover is ຍອດຫຼິ້ນ', /ເທີນໂອເວີ/],
    ['no full stop at the end', /[^.]\.$/],
  ],
  en: [['a daily maximum is a ceiling', /daily maximum/i]],
};

const HELP = { th, la, en };

/** Every text of the console in a language, under the name it is found by. */
const textsIn = (language: Language): [string, string][] => [
  ...readPo(language),
  ...Object.entries(HELP[language]).flatMap(([page, { purpose, terms }]): [string, string][] =>
    [purpose, ...terms.flat()].map((text) => [`help of ${page}`, text]),
  ),
];

test.each(['th', 'la', 'en'] as const)('texts keep to the terms of the glossary: %s', (language) => {
  const found = textsIn(language).flatMap(([name, text]) =>
    FAULTS[language].filter(([, fault]) => fault.test(text)).map(([reason]) => `${name}: ${reason}: ${text}`),
  );
  expect(found).toEqual([]);
});
