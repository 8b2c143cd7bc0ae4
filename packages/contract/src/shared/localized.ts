import { type TSchema, Type } from 'typebox';
import { LANGUAGES, type Language } from './languages.ts';

/** The code of a language. */
export const LanguageCode = Type.Unsafe<Language>(Type.String({ enum: [...LANGUAGES], maxLength: 2 }));

/** Properties of an object: one for each language. */
export const inEachLanguage = <S extends TSchema>(schema: S) =>
  Object.fromEntries(LANGUAGES.map((code) => [code, schema])) as Record<Language, S>;

/** An object with one property for each language, and no other. */
export const Localized = <S extends TSchema>(schema: S) =>
  Type.Object(inEachLanguage(schema), { additionalProperties: false });
