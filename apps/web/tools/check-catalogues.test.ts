import { SUPPORT_CODES, SUPPORT_SLIP_REASONS } from '@krapao/contract/support';
import { expect, test } from 'vitest';
import { compilePart, readPo } from './catalogues.ts';
import { cataloguesProblems } from './check-catalogues.ts';

test('the three catalogues agree with each other, with the code and with the list of codes', () => {
  expect(cataloguesProblems()).toEqual([]);
});

test('a figure and its word cannot be parted', () => {
  expect(compilePart('th', 'rest')).toContain('\\u00a0นาที'.replace('\\u00a0', '\u00a0'));
});

const SENDS = { th: /ติดต่อเจ้าหน้าที่/, la: /ຕິດຕໍ່ພະນັກງານ/, en: /contact (our )?support/i } as const;

test.each(['th', 'la', 'en'] as const)('a text that leads to support contains a reference: %s', (locale) => {
  const codes = [...readPo(locale)].flatMap(([id, text]) =>
    id.startsWith('error.') && SENDS[locale].test(text) ? [id.slice('error.'.length)] : [],
  );
  // No reference is needed there; the page opens the chat itself.
  const given: string[] = [...SUPPORT_CODES, ...SUPPORT_SLIP_REASONS, 'gone'];
  expect(codes.filter((code) => !given.includes(code))).toEqual([]);
});
