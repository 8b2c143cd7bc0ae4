import { LANGUAGES, type Language } from '@krapao/contract/shared';
import type { Plugin } from 'vite';
import { compilePart, poFile } from './catalogues.ts';

/** `virtual:messages/th/first`: one part of one language, compiled; broken or empty entries stop the build. */
export function messages(): Plugin {
  const prefix = '\0virtual:messages/';
  return {
    name: 'krapao-messages',
    resolveId: (id) => (id.startsWith('virtual:messages/') ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const [locale, part] = id.slice(prefix.length).split('/') as [Language, 'first' | 'rest'];
      if (!LANGUAGES.includes(locale)) throw new Error(`no catalogue ${locale}`);
      this.addWatchFile(poFile(locale));
      return { code: compilePart(locale, part), moduleType: 'js' };
    },
  };
}
