import type { Language } from '@krapao/contract/shared';

const SCRIPTS: Partial<Record<Language, RegExp>> = { th: /\p{Script=Thai}/u, la: /\p{Script=Lao}/u };

/** A bank as the reader's language names it: as its own country writes it where that is the reader's script, else in English. */
export const bankName = (of: { bankName: string; bankNameEn: string }, language: Language): string =>
  SCRIPTS[language]?.test(of.bankName) ? of.bankName : of.bankNameEn;
