import { isBlankHtml } from '@krapao/contract/html';
import { LANGUAGES, type Language } from '@krapao/contract/shared';
import type { Translate } from '@krapao/ui/text/text.tsx';
import type { Reply } from '../../platform/api.ts';

export type Content = Reply<'GET /api/operator/content'>['content'][number];
export type Key = Content['key'];
export type Texts = Content['words'];
export type Fields = Texts['th'];
export type Pictures = Reply<'GET /api/operator/content'>['pictures'];

/** Who published: an operator by their name, the first words by the system. */
export const writerText = (t: Translate, by: string): string =>
  by === 'system' ? t('content.system') : by.replace(/^operator:/, '');

/** The languages in which a text says nothing. */
export const emptyLanguages = (words: Texts): Language[] =>
  LANGUAGES.filter((language) =>
    Object.values(words[language])
      .flat()
      .every((text) => !text || isBlankHtml(text)),
  );
