import { heldText } from '@krapao/ui/text/held-text.ts';
import { expect, test, vi } from 'vitest';
import { readPo } from '../../tools/catalogues.ts';
import { holdServerTexts } from './hold-texts.ts';
import { holdWords } from './whole-words.ts';

const shown = (text: string): string => text.replaceAll('\u2060', '~').replaceAll('\u200b', '|');

test('a compound is held together, a break that the dictionary misplaces is put right, other scripts stay', () => {
  expect(shown(holdWords('ติดต่อเจ้าหน้าที่', 'th'))).toBe('ติดต่อเจ้า~หน้าที่');
  expect(shown(holdWords('จบได้เมื่อยอดไม่เกิน {amount}', 'th'))).toBe('จบได้เมื่อ|ย~อดไม่เกิน {amount}');
  expect(shown(holdWords('ອັບໂຫຼດສະລິບ', 'la'))).toBe('ອັບ~ໂຫຼ~ດສະ~ລິບ');
  expect(shown(holdWords('ຕ່ຳສຸດ 1 ບາດ', 'la'))).toBe('ຕ່ຳ~ສຸດ 1 ບາດ');
  expect(holdWords('Contact support', 'en')).toBe('Contact support');
});

test('a word that only browsers divide is held together too', () => {
  expect(shown(holdWords('ເຂົ້າສູ່ລະບົບ', 'la'))).toContain('ເຂົ້າ~ສູ່');
  expect(shown(holdWords('ວົງລໍ້ນຳໂຊກ', 'la'))).toContain('ວົງ~ລໍ້');
  expect(shown(holdWords('ໃຫ້ເຫັນ QR ເທິງສະລິບຊັດເຈນ', 'la'))).toContain('ສະ~ລິບ');
});

test.each(['th', 'la', 'en'] as const)('both ends of a range stay on one line (%s)', (language) => {
  expect(shown(holdWords('{min}–{max}', language))).toBe('{min}–~{max}');
});

test.each(['th', 'la'] as const)(
  'nothing but the marks is added to a text, nor anything to a word that is typed (%s)',
  (language) => {
    const texts = readPo(language);
    for (const text of texts.values())
      expect(holdWords(text, language).replace(/[\u2060\u200b]/g, '')).toBe(text);
    for (const id of ['limit.word', 'limit.excludeWord', 'close.word']) {
      const word = texts.get(id)!;
      expect(holdWords(word, language)).toBe(word);
    }
  },
);

test('words of operators’ texts and of their HTML are held together once the member area is there', () => {
  expect(heldText.hold('ຍອດຝາກ', 'la')).toBe('ຍອດຝາກ');
  holdServerTexts();
  expect(shown(heldText.hold('ຮັບເພີ່ມເຄິ່ງໜຶ່ງຂອງຍອດຝາກ', 'la'))).toContain('ຍອດ~ຝາກ');
  expect(heldText.hold('Half of your deposit', 'en')).toBe('Half of your deposit');
});

test('a browser that cannot divide words shows texts as they are written', async () => {
  const { Segmenter } = Intl;
  Reflect.deleteProperty(Intl, 'Segmenter');
  try {
    vi.resetModules();
    const without = await import('./whole-words.ts');
    expect(without.holdWords('ติดต่อเจ้าหน้าที่', 'th')).toBe('ติดต่อเจ้าหน้าที่');
  } finally {
    Object.defineProperty(Intl, 'Segmenter', { value: Segmenter, configurable: true, writable: true });
  }
});
