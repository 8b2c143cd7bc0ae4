/** The languages members read, in the order they are written in. */
export const LANGUAGES = ['th', 'la', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
/** How each language is named to those who read it. */
export const LANGUAGE_NAME: Record<Language, string> = { th: 'ไทย', la: 'ລາວ', en: 'English' };
/** What a browser must know to shape the letters. */
export const HTML_LANGUAGE: Record<Language, string> = { th: 'th', la: 'lo', en: 'en' };
