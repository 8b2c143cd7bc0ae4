import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import { holdWords } from '../apps/web/src/platform/whole-words.ts';

export { LANGUAGES, type Language };

const ENTRY = /msgid "((?:[^"\\]|\\.)+)"\nmsgstr "((?:[^"\\]|\\.)*)"/g;

function read(language: Language): Map<string, string> {
  const file = join(import.meta.dirname, `../apps/web/src/locales/${language}.po`);
  return new Map(
    [...readFileSync(file, 'utf8').matchAll(ENTRY)].map((match) => [
      match[1]!,
      // As the build writes it, with the marks that hold words together.
      holdWords(JSON.parse(`"${match[2]!}"`) as string, language),
    ]),
  );
}

const catalogues = Object.fromEntries(LANGUAGES.map((language) => [language, read(language)])) as Record<
  Language,
  Map<string, string>
>;

/** The text of an id with its plain arguments filled in; throws for an unknown id. */
export function textOf(language: Language, id: string, values: Record<string, string> = {}): string {
  const text = catalogues[language].get(id);
  if (!text) throw new Error(`no text ${id} in ${language}`);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Every id, to find one that shows itself instead of its text. */
export const ALL_IDS: readonly string[] = [...catalogues.en.keys()];

/** A text of the operators as the member area draws it: its words held together as those of the app are. */
export const drawnText = (language: Language, text: string): string => holdWords(text, language);
