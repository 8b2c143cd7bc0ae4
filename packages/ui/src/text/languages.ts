import type { Language } from '@krapao/contract/shared';

/** Languages in the order of the switch, each named in its own script. */
export const LANGUAGES: readonly { code: Language; name: string; tag: string }[] = [
  { code: 'th', name: 'ไทย', tag: 'th' },
  { code: 'la', name: 'ລາວ', tag: 'lo' },
  { code: 'en', name: 'English', tag: 'en' },
];

/** `la` is how the product stores Lao; `lo` is what `lang=` and Intl know. */
export const languageTag = (language: Language): string => (language === 'la' ? 'lo' : language);

/** Whether a stored or typed word is one of the three languages. */
export const isLanguage = (word: unknown): word is Language =>
  word === 'th' || word === 'la' || word === 'en';
