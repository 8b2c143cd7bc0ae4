import type { Translate } from '@krapao/ui/text/text.tsx';
import type { Reply } from '../../platform/api.ts';

export type Content = Reply<'GET /api/operator/content'>['content'][number];
export type Key = Content['key'];
export type Words = Content['words'];
export type Fields = Words['th'];
export type Pictures = Reply<'GET /api/operator/content'>['pictures'];

export const LANGUAGES = ['th', 'la', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
/** How each language is named to those who read it. */
export const LANGUAGE_NAME: Record<Language, string> = { th: 'ไทย', la: 'ລາວ', en: 'English' };
/** What a browser must know to shape the letters. */
export const HTML_LANGUAGE: Record<Language, string> = { th: 'th', la: 'lo', en: 'en' };

/** Who published: an operator by his name, the first words by the system. */
export const writerText = (t: Translate, by: string): string =>
  by === 'system' ? t('content.system') : by.replace(/^operator:/, '');
