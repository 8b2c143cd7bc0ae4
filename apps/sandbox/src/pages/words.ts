/** The pages' words. Each has Thai, Lao and English, in this order; a missing one does not compile. */
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import { commonWords } from './words/common.ts';
import { controlWords } from './words/control.ts';
import { gameWords } from './words/games.ts';
import { officeWords } from './words/office.ts';
import { phoneWords } from './words/phone.ts';
import type { Triple } from './words/triple.ts';

const WORDS = { ...commonWords, ...phoneWords, ...gameWords, ...officeWords, ...controlWords } as const;
export type WordId = keyof typeof WORDS;

/** Says a word in the reader's language; `{name}` in it is filled from `values`. */
export type Say = (id: WordId, values?: Record<string, string | number>) => string;

export const speak =
  (lang: Language): Say =>
  (id, values = {}) =>
    (WORDS[id] as Triple)[LANGUAGES.indexOf(lang)]!.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      String(values[name] ?? ''),
    );

/** Whether a code such as a refusal has words of its own. */
export const isWord = (id: string): id is WordId => Object.hasOwn(WORDS, id);

/** All words, for checks. */
export const allWords = (): [string, Triple][] => Object.entries(WORDS);
