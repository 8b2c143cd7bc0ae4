import { expect, test } from 'vitest';
import { i18n } from './i18n.ts';
import { valueText } from './value-text.ts';

const title = { th: 'ปีใหม่', la: 'ປີໃໝ່', en: 'New year' };
const t = (id: string) => id;

test('what members read is named in the operator’s language, and told in all where it is what changes', () => {
  for (const language of ['th', 'la', 'en'] as const) {
    i18n.activate(language, language);
    for (const name of ['bonus', 'wheel', 'replaces', 'prize', 'slicesCASH'])
      expect(valueText(t, name, title)).toBe(title[language]);
  }
  expect(valueText(t, 'title', title)).toBe('th ปีใหม่, la ປີໃໝ່, en New year');
  // A language nobody has written says it in Thai.
  expect(valueText(t, 'bonus', { ...title, en: '' })).toBe('ปีใหม่');
});
