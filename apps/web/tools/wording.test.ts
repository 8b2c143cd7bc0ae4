import type { Language } from '@krapao/contract/shared';
import { expect, test } from 'vitest';
import { readPo } from './catalogues.ts';

/** What a text of a language must not have, and why: each was found in one while reading all of them. */
const FAULTS: Record<Language, readonly [reason: string, fault: RegExp][]> = {
  th: [
    ['spelling', /โปรโมชั่น|อัพ|ลิ้งค์|แชท/],
    ['QR is written QR', /คิวอาร์/],
    ['the verb for typing is กรอก', /กรุณาใส่|(^| )ใส่/],
    ['a request begins with กรุณา', /^กรอก(ตัวเลข|จำนวน)/],
    ['not said to members', /ครับ|ค่ะ|(?<!เ)ท่าน/],
    ['no exclamation', /!/],
  ],
  la: [
    ['spelling', /ຫນ|ຫມ|ຫລ|ຄັດລອກ|ແຊຣ໌|ບໍ່ຕົງກັນ|ລ່າສຸດ/],
    ['ແລະ stands alone', /[^ ]ແລະ|ແລະ[^ ]/],
    ['ຫຼື stands alone', /[^ ]ຫຼື(?!ອ)|ຫຼື(?![ອ ])/],
    ['support is ພະນັກງານ', /ເຈົ້າໜ້າທີ່/],
    ['the verb for typing is ປ້ອນ', /ກະລຸນາໃສ່/],
    ['a chat is ສົນທະນາ or ລົມ', /ແຊັດ/],
    ['a receipt is ໃບຢັ້ງຢືນ', /ຫຼັກຖານ/],
    ['how often is ຄັ້ງ', /ເທື່ອ/],
    ['here is ທີ່ນີ້', /ບ່ອນນີ້/],
    ['no exclamation', /!/],
  ],
  en: [
    ['you can, right away', /\bat once\b|\bcannot\b/],
    ['a way to pay in is a method', /\bchannel\b/i],
    ['contracted as it is spoken', /\b(we|you) will\b|\bwe are\b/i],
    ['apostrophe', /'/],
    ['no exclamation', /!/],
  ],
};

/** Texts that the specification gives letter for letter. */
const GIVEN = ['valid.passwordMismatch'];

test.each(['th', 'la', 'en'] as const)(
  'texts keep to the terms and spelling of their language: %s',
  (language) => {
    const found = [...readPo(language)]
      .filter(([id]) => !GIVEN.includes(id))
      .flatMap(([id, text]) =>
        FAULTS[language]
          .filter(([, fault]) => fault.test(text))
          .map(([reason]) => `${id}: ${reason}: ${text}`),
      );
    expect(found).toEqual([]);
  },
);
