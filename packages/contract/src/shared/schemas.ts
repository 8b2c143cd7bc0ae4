import { type TSchema, type TStringOptions, Type } from 'typebox';
import type { ErrorCode } from './codes.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** A closed set of texts. */
export const OneOf = <const W extends readonly string[]>(texts: W) =>
  Type.Unsafe<W[number]>(Type.String({ enum: [...texts], maxLength: 40 }));

/** Text as PostgreSQL can store it: without NUL. */
export const Text = (maxLength: number, minLength = 0, options: TStringOptions = {}) =>
  Type.String({ ...(minLength > 0 && { minLength }), maxLength, pattern: '^[^\\u0000]*$', ...options });

/** The code of a language. */
export const LanguageCode = OneOf(LANGUAGES);

/** Properties of an object: one for each language. */
export const inEachLanguage = <S extends TSchema>(schema: S) =>
  Object.fromEntries(LANGUAGES.map((code) => [code, schema])) as Record<Language, S>;

/** An object with one property for each language, and no other. */
export const Localized = <S extends TSchema>(schema: S) =>
  Type.Object(inEachLanguage(schema), { additionalProperties: false });

/**
 * Marks a field of a body whose wrong values, also those of another type, the handler refuses with a code of its own at
 * the field's place among the call's rules. The field must be there; the document tells its type and the code.
 */
export const refusedAs = (code: ErrorCode) => ({ 'x-refusal': code }) as const;
