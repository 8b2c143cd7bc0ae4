/** The pages' words. Each has Thai, Lao and English, in this order; a missing one does not compile. */
import { commonWords } from './words/common.ts';
import { controlWords } from './words/control.ts';
import { gameWords } from './words/games.ts';
import { officeWords } from './words/office.ts';
import { phoneWords } from './words/phone.ts';
import type { Triple } from './words/triple.ts';

export type Language = 'th' | 'la' | 'en';

const WORDS = { ...commonWords, ...phoneWords, ...gameWords, ...officeWords, ...controlWords } as const;
export type WordId = keyof typeof WORDS;

/** Says a word in the reader's language; `{name}` in it is filled from `values`. */
export type Say = (id: WordId, values?: Record<string, string | number>) => string;

const INDEX: Record<Language, number> = { th: 0, la: 1, en: 2 };

/** The language as browsers know it. */
export const HTML_LANG: Record<Language, string> = { th: 'th', la: 'lo', en: 'en' };

export const speak =
  (lang: Language): Say =>
  (id, values = {}) =>
    (WORDS[id] as Triple)[INDEX[lang]]!.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      String(values[name] ?? ''),
    );

/** Whether a code such as a refusal has words of its own. */
export const isWord = (id: string): id is WordId => Object.hasOwn(WORDS, id);

/** All words, for checks. */
export const allWords = (): [string, Triple][] => Object.entries(WORDS);
