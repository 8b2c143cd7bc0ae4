/** The pages' words. Each has Thai, Lao and English, in this order; a missing one does not compile. */
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import { commonTexts } from './texts/common.ts';
import { controlTexts } from './texts/control.ts';
import { gameTexts } from './texts/games.ts';
import { bankTexts } from './texts/office.ts';
import { phoneTexts } from './texts/phone.ts';
import type { Triple } from './texts/triple.ts';

const TEXTS = { ...commonTexts, ...phoneTexts, ...gameTexts, ...bankTexts, ...controlTexts } as const;
export type LabelId = keyof typeof TEXTS;

/** Says a word in the reader's language; `{name}` in it is filled from `values`. */
export type Say = (id: LabelId, values?: Record<string, string | number>) => string;

export const speak =
  (lang: Language): Say =>
  (id, values = {}) =>
    (TEXTS[id] as Triple)[LANGUAGES.indexOf(lang)]!.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      String(values[name] ?? ''),
    );

/** Whether a code such as a refusal has words of its own. */
export const isTextId = (id: string): id is LabelId => Object.hasOwn(TEXTS, id);

/** All words, for checks. */
export const allTexts = (): [string, Triple][] => Object.entries(TEXTS);
