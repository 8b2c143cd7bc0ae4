import { LANGUAGES, type Language } from '@krapao/contract/shared';
import type { Plugin } from 'vite';
import { compileCatalogue, poFile } from './catalogues.ts';

/** `virtual:messages/th`: one language, compiled. */
export function messages(): Plugin {
  const prefix = '\0virtual:messages/';
  return {
    name: 'krapao-console-messages',
    resolveId: (id) => (id.startsWith('virtual:messages/') ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const locale = id.slice(prefix.length) as Language;
      if (!LANGUAGES.includes(locale)) throw new Error(`no catalogue ${locale}`);
      this.addWatchFile(poFile(locale));
      return { code: compileCatalogue(locale), moduleType: 'js' };
    },
  };
}
