import { isBlankHtml } from '@krapao/contract/html';
import type { CONTENT_KEYS, content } from '@krapao/contract/operator';
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import type { Static } from 'typebox';
import { cleanHtml, plainText } from '../../platform/html.ts';
import { Refusal } from '../../platform/refusal.ts';

export type ContentKey = (typeof CONTENT_KEYS)[number];
/** One key side by side, as the console writes it. */
export type ContentTexts = Static<typeof content.saveDraft.body>['words'];
type Fields = ContentTexts['th'];
/** The same as it is stored: what each language's row of table content holds. */
export type Bodies = Record<Language, unknown>;

const isAddress = (text: string): boolean => /^https:\/\//i.test(text) && URL.canParse(text);
const isPictureId = (text: string): boolean => /^[\w-]{20,40}$/.test(text);

function requireAddress(text: string, field: string): string {
  if (text !== '' && !isAddress(text)) throw new Refusal('INVALID_REQUEST', { field });
  return text;
}

function bodyOf(key: ContentKey, fields: Fields): unknown {
  const text = (value: string | undefined) => plainText(value ?? '').trim();
  switch (key) {
    case 'info': {
      const name = text(fields.name);
      if (name === '') throw new Refusal('INVALID_REQUEST', { field: 'name' });
      return { name, website: requireAddress(text(fields.website), 'website') };
    }
    case 'contact': {
      const picture = fields.picture ?? null;
      if (picture !== null && !isPictureId(picture))
        throw new Refusal('INVALID_REQUEST', { field: 'picture' });
      return {
        contactText: text(fields.contactText),
        lineName: text(fields.lineName),
        lineLink: requireAddress(text(fields.lineLink), 'lineLink'),
        ...(picture ? { picture } : {}),
      };
    }
    case 'news':
    case 'notice':
      return cleanHtml(fields.notice ?? '').trim();
    default:
      return (fields.parts ?? []).map((part) => cleanHtml(part).trim()).filter((part) => part !== '');
  }
}

/** Words as they are stored, cleaned. Throws INVALID_REQUEST with the field that cannot be shown. */
export const bodiesOf = (key: ContentKey, words: ContentTexts): Bodies =>
  Object.fromEntries(LANGUAGES.map((language) => [language, bodyOf(key, words[language])])) as Bodies;

/** Whether what is stored of a key in one language says nothing to its readers. */
export function isEmpty(body: unknown): boolean {
  if (typeof body === 'string') return isBlankHtml(body);
  if (typeof body !== 'object' || body === null) return true;
  return Object.values(body).every(isEmpty);
}

/** What is stored for a key in one language, as JSON that a person writes. */
export function shapeOf(key: ContentKey): string {
  switch (key) {
    case 'info':
      return '{"name": "…", "website": "…"}';
    case 'contact':
      return '{"contactText": "…", "lineName": "…", "lineLink": "…"} and perhaps "picture"';
    case 'news':
    case 'notice':
      return 'a text';
    default:
      return 'a list of texts';
  }
}

/** Whether an object has all of these fields and no other than them and the optional one, each a text. */
function hasTexts(value: unknown, names: readonly string[], optional?: string): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.every(
      ([name, text]) => typeof text === 'string' && (names.includes(name) || name === optional),
    ) && names.every((name) => Object.hasOwn(value, name))
  );
}

/** Whether a value has the shape of {@link shapeOf}; {@link textsOf} reads anything else as empty. */
export function hasShape(key: ContentKey, body: unknown): boolean {
  switch (key) {
    case 'info':
      return hasTexts(body, ['name', 'website']);
    case 'contact':
      return hasTexts(body, ['contactText', 'lineName', 'lineLink'], 'picture');
    case 'news':
    case 'notice':
      return typeof body === 'string';
    default:
      return Array.isArray(body) && body.every((part) => typeof part === 'string');
  }
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((part): part is string => typeof part === 'string') : [];

function fieldsOf(key: ContentKey, body: unknown): Fields {
  const of = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof of[name] === 'string' ? of[name] : '');
  switch (key) {
    case 'info':
      return { name: text('name'), website: text('website') };
    case 'contact':
      return {
        contactText: text('contactText'),
        lineName: text('lineName'),
        lineLink: text('lineLink'),
        picture: text('picture') || null,
      };
    case 'news':
    case 'notice':
      return { notice: typeof body === 'string' ? body : '' };
    default:
      return { parts: strings(body) };
  }
}

/** What is stored as the console writes it. */
export const textsOf = (key: ContentKey, bodies: Partial<Bodies>): ContentTexts =>
  Object.fromEntries(
    LANGUAGES.map((language) => [language, fieldsOf(key, bodies[language])]),
  ) as ContentTexts;
