/**
 * Google Sans cut down to what the product writes: one file a script, and the two currency signs in faces of their
 * own so that a Lao page with a baht sign does not load the Thai file. Cut once, cached in node_modules/.cache.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const family = path.dirname(require.resolve('@fontsource-variable/google-sans/package.json'));
const cache = path.join(family, '../../.cache/krapao-fonts');

const range = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

const LATIN = `${range(0x20, 0x7e)}\u00a0·×–—‘’“”•…−→←`;
const JOINERS = '\u200b\u200c\u200d\u25cc';

interface Face {
  name: string;
  source: string;
  text: string;
  unicodeRange: string;
  /** OpenType features whose glyphs are kept; all without it. */
  features?: readonly string[];
}

/**
 * What the app shows of Latin: kerning, ligatures and contextual forms, which browsers apply by themselves, and figures of
 * one width. Without a list, forms for other languages (locl) and fractions make the file 9 kB larger.
 */
const LATIN_FEATURES = ['calt', 'dist', 'kern', 'liga', 'lnum', 'tnum'];

/** Every face of the family as it is shipped. The Thai range leaves out the baht sign, which has its own. */
export const FACES: readonly Face[] = [
  {
    name: 'latin',
    source: 'latin',
    text: LATIN,
    features: LATIN_FEATURES,
    unicodeRange: 'U+20-7E, U+A0, U+B7, U+D7, U+2013-2014, U+2018-201D, U+2022, U+2026, U+2190-2192, U+2212',
  },
  {
    name: 'thai',
    source: 'thai',
    text: range(0x0e01, 0x0e3a) + range(0x0e40, 0x0e5b) + JOINERS,
    unicodeRange: 'U+E01-E3A, U+E40-E5B, U+200C-200D, U+25CC',
  },
  {
    name: 'lao',
    source: 'lao',
    text: range(0x0e81, 0x0edf) + JOINERS,
    unicodeRange: 'U+E81-EDF, U+200C-200D, U+25CC',
  },
  { name: 'baht', source: 'thai', text: '฿', unicodeRange: 'U+E3F' },
  { name: 'kip', source: 'latin-ext', text: '₭', unicodeRange: 'U+20AD' },
];

/** Cuts one face and answers the file's path. `sfnt` gives a TTF, for programs that do not read WOFF2. */
export async function cutFace(face: Face, format: 'woff2' | 'sfnt'): Promise<string> {
  const source = readFileSync(path.join(family, `files/google-sans-${face.source}-wght-normal.woff2`));
  const { features } = face;
  const cut = createHash('sha256')
    .update(source)
    .update(face.text)
    .update(features?.join() ?? '');
  const stamp = cut.digest('hex').slice(0, 12);
  const file = path.join(cache, `${face.name}-${stamp}.${format === 'sfnt' ? 'ttf' : 'woff2'}`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    const kept = features ? { keepFeatures: [...features] } : {};
    writeFileSync(file, await subsetFont(source, face.text, { targetFormat: format, ...kept }));
  }
  return file;
}

/**
 * The @font-face rules. The fallback carries Google Sans' ascent and descent, so that text does not move when the
 * real font arrives.
 */
export async function fontCss(): Promise<string> {
  const rules = await Promise.all(
    FACES.map(async (face) => {
      const file = await cutFace(face, 'woff2');
      return `@font-face{font-family:"Google Sans";font-weight:400 700;font-display:swap;src:url("${file}") format("woff2");unicode-range:${face.unicodeRange}}`;
    }),
  );
  const fallback =
    '@font-face{font-family:"Google Sans fallback";src:local("Roboto"),local("Noto Sans Thai"),local("Noto Sans Lao"),local("Arial");ascent-override:96.6%;descent-override:28.6%;line-gap-override:0%;size-adjust:102%}';
  return `${rules.join('\n')}\n${fallback}`;
}
