/** The languages of the product, in the order in which they are offered. The wire and storage name them by these codes. */
export const LANGUAGES = ['th', 'la', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in every language. */
export type LocalizedText = Record<Language, string>;

/** Returns what `of` gives for each language, under its code, in the order of `LANGUAGES`. */
export const localized = <T>(of: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, T>;

/** Each language named in its own script. */
export const LANGUAGE_NAMES: Readonly<LocalizedText> = { th: 'ไทย', la: 'ລາວ', en: 'English' };

/** Returns the BCP 47 tag of a language, as `lang=` and Intl take it: Lao is `lo` there. */
export const languageTag = (language: Language): string => (language === 'la' ? 'lo' : language);

/** Whether a stored or typed text is the code of a language. */
export const isLanguage = (text: unknown): text is Language => LANGUAGES.includes(text as Language);
