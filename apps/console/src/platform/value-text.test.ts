import { expect, test } from 'vitest';
import { i18n } from './i18n.ts';
import { valueText } from './value-text.ts';

const title = { th: 'ปีใหม่', la: 'ປີໃໝ່', en: 'New year' };
const t = (id: string) => id;

test('shows a member text in the operator’s language, and in all languages where the text changes', () => {
  for (const language of ['th', 'la', 'en'] as const) {
    i18n.activate(language, language);
    for (const name of ['bonus', 'wheel', 'replaces', 'prize', 'slicesCASH'])
      expect(valueText(t, name, title)).toBe(title[language]);
  }
  expect(valueText(t, 'title', title)).toBe('th ปีใหม่, la ປີໃໝ່, en New year');
  // A missing language falls back to Thai.
  expect(valueText(t, 'bonus', { ...title, en: '' })).toBe('ปีใหม่');
});
