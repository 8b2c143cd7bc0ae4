/** How hard a password is to guess, from its form alone. */
export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

/** The shortest password that is recommended, in characters of any script. */
const LENGTH_MIN = 8;
/** From how many bits a password is fair, and strong. */
const FAIR_BITS = 40;
const STRONG_BITS = 60;

/** What most passwords begin or end with; worth no more than one character. */
const COMMON = /passw?[o0]?r?d?|qwe?r?t?y?|asdf?g?h?|zxcv?b?n?|iloveyou|love|admin|welcome/gi;

/** How many characters a guesser tries at each place, by the kinds of characters used. */
const KINDS: readonly [RegExp, number][] = [
  [/\p{Nd}/u, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^\p{L}\p{M}\p{Nd}]/u, 30],
  [/(?![a-z])[\p{L}\p{M}]/iu, 60],
];

/** Characters that do not only repeat or count on the one before. */
function newCharacters(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  return codes.filter((code, at) => at === 0 || Math.abs(code - codes[at - 1]!) > 1).length;
}

/** Estimates the strength of a password as it is typed; the server knows the common passwords, this does not. */
export function passwordStrength(password: string): PasswordStrength {
  if ([...password].length < LENGTH_MIN) return 'short';
  const choices = KINDS.reduce((sum, [kind, count]) => (kind.test(password) ? sum + count : sum), 0);
  const bits = newCharacters(password.replace(COMMON, '~')) * Math.log2(choices);
  if (bits < FAIR_BITS) return 'weak';
  return bits < STRONG_BITS ? 'fair' : 'strong';
}
