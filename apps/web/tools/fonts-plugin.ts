import type { Plugin } from 'vite';
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
