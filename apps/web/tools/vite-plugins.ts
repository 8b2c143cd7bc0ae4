import { LANGUAGES, type Language } from '@krapao/contract/shared';
import type { Plugin } from 'vite';
import { compilePart, poFile } from './catalogues.ts';
import { fontCss } from './fonts.ts';

const FONTS = 'virtual:fonts.css';

/** `virtual:fonts.css`: the subset faces, whose files take part in the build like any other asset. */
export function fonts(): Plugin {
  return {
    name: 'krapao-fonts',
    resolveId: (id) => (id === FONTS ? `\0${FONTS}` : undefined),
    load: (id) => (id === `\0${FONTS}` ? fontCss() : undefined),
  };
}

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
