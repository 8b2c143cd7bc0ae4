/** One word in the three languages. */
export type Triple = readonly [th: string, la: string, en: string];

/** Keeps a word list's ids and checks that every word has its three texts. */
export const defineTexts = <W extends Record<string, Triple>>(texts: W): W => texts;
