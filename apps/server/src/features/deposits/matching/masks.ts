/**
 * Comparing what banks show of an account or a name with what a member registered. Banks mask account numbers
 * (`xxx-x-x0209-x`) and cut names after a title ("นาย ธนาคาร ก"), so there are three outcomes.
 */

export type Compared = 'match' | 'mismatch' | 'unsure';

/** "1234567890" as xxx-x-x6789-x: enough to recognise, too little to use. */
export function maskAccount(digits: string): string {
  const plain = digits.replace(/\D/g, '');
  return `xxx-x-x${plain.slice(-5, -1)}-x`;
}

/** A number in the form that may be stored: as the bank masked it, else masked by us; empty when it showed none. */
export const storedMask = (shown: string): string =>
  shown === '' || /[xX*]/.test(shown) ? shown : maskAccount(shown);

const VISIBLE_LEAST = 3;
const placesOf = (mask: string): string[] => [...mask.replace(/[^0-9xX*]/g, '')].reverse();

/** The digits that a number shows, masked or not, by their place from its end. */
export const shownDigits = (mask: string): ReadonlyMap<number, string> =>
  new Map([...placesOf(mask).entries()].filter(([, digit]) => /\d/.test(digit)));

/** A masked number against a full or masked one, from the end, at the places that both show. */
export function compareAccounts(shown: string, known: string): Compared {
  const [a, b] = [placesOf(shown), placesOf(known)];
  const pairs = a
    .map((digit, index) => [digit, b[index] ?? 'x'] as const)
    .filter((pair) => pair.every((digit) => /\d/.test(digit)));
  if (pairs.some(([x, y]) => x !== y)) return 'mismatch';
  return pairs.length >= VISIBLE_LEAST ? 'match' : 'unsure';
}

/** Longer ones first, so that Mrs is not read as Mr and a rest. */
const TITLES =
  /^(?:นางสาว|น\.\s?ส\.|นาย|นาง|ด\.\s?ช\.|ด\.\s?ญ\.|เด็กชาย|เด็กหญิง|ท้าว|ທ້າວ|ນາງສາວ|ນາງ|(?:mrs|miss|mr|ms|master)(?=[.\s]))\.?\s*/iu;
const HIDDEN = /[*xX•.…]+$/;

/** Splits a name into words without its title, normalised: NFC, no invisible characters, lower case. */
export function nameWords(name: string): string[] {
  const plain = name
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(TITLES, '')
    .toLowerCase();
  return plain.split(/\s+/).filter(Boolean);
}

const scriptOf = (text: string): string =>
  ['Thai', 'Lao', 'Latin'].find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text)) ?? 'none';

/**
 * Compares a printed name with a registered one. Match: equal first name, and every further word has the same
 * beginning. Mismatch: a word begins differently. Unsure: only part of the first name, no family name, or another
 * script.
 */
export function compareNames(shown: string, registered: string): Compared {
  const words = nameWords(shown);
  const known = nameWords(registered);
  const stems = words.map((word) => word.replace(HIDDEN, ''));
  if (!stems[0] || known.length === 0 || scriptOf(shown) !== scriptOf(registered)) return 'unsure';
  if (stems.some((stem, index) => !(known[index] ?? '').startsWith(stem))) return 'mismatch';
  const whole = stems[0] === known[0] && words.length >= Math.min(2, known.length) && stems.every(Boolean);
  return whole ? 'match' : 'unsure';
}

/** How a company's name begins and ends in Thailand and Laos, whole or abbreviated. */
const COMPANY_BEGINNING = /^(?:บริษัท|ห้างหุ้นส่วนจำกัด|บจก\.|บมจ\.|บจ\.|หจก\.|ບໍລິສັດ)\s*/u;
const COMPANY_ENDING =
  /(?:[\s,]*(?:จำกัด|\(มหาชน\)|ຈຳກັດ|(?:co\.?|company)?[\s,]*(?:ltd\.?|limited|plc\.?)))+$/iu;

/** The forms in which a bank may print a company's name: as registered, and without what only says that it is a company. */
function companyForms(name: string): string[] {
  const plain = name
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(COMPANY_BEGINNING, '');
  return [...new Set([plain, plain.replace(COMPANY_ENDING, '')])];
}

const isCompany = (name: string): boolean =>
  COMPANY_BEGINNING.test(name.trim()) || COMPANY_ENDING.test(name.trim());

/**
 * Compares the receiver's printed name with the name of one of our accounts, see {@link compareNames}. Companies are
 * equal however their kind is written; a person's title before the name of a company of ours is a mismatch.
 */
export function compareHolders(shown: string, ours: string): Compared {
  if (isCompany(ours) && !isCompany(shown) && TITLES.test(shown.trim())) return 'mismatch';
  const outcomes = companyForms(shown).flatMap((form) =>
    companyForms(ours).map((known) => compareNames(form, known)),
  );
  return (['match', 'unsure'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'mismatch';
}
