import type { Language } from '@krapao/contract/shared';

export interface BankNames {
  /** Of a Lao bank its Lao name. */
  nameTH: string;
  nameEN: string;
  nameLA?: string;
}

const LAO = /[\u0e80-\u0eff]/;

/** Returns a bank's whole name in a script the reader reads: where it has none in theirs, the English one. */
export function bankNameIn({ nameTH, nameEN, nameLA }: BankNames, language: Language): string {
  if (language === 'la') return nameLA ?? (LAO.test(nameTH) ? nameTH : nameEN);
  return language === 'th' && !LAO.test(nameTH) ? nameTH : nameEN;
}

/** The same without the word for bank in front, for rows. */
export const shortBankNameIn = (bank: BankNames, language: Language): string =>
  bankNameIn(bank, language).replace(/^ธนาคาร|^ທະນາຄານ/, '');
