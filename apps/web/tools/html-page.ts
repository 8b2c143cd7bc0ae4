/** Composes a page: its styles and the script that starts the app inside, fonts and files announced early. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CLIENT_MARKER, type Language, languageTag } from '@krapao/contract/shared';
import { manifestAddress } from './app-files.ts';

export type Manifest = Record<
  string,
  { file: string; css?: string[]; assets?: string[]; imports?: string[]; dynamicImports?: string[] }
>;

export interface HeadParts {
  language: Language;
  title: string;
  description: string;
}

export interface PageParts extends HeadParts {
  address: string;
  body: string;
  /** The text of boot.js. */
  boot: string;
}

const ENTRY = 'index.html';
const PAGE_FILES: Record<string, string> = {
  '/login': 'index.html',
  '/register': 'src/features/register/register-page.tsx',
  '/forgot': 'src/features/forgot/forgot-page.tsx',
  '/howto': 'src/features/howto/howto-page.tsx',
  '/contact': 'src/features/contact/contact-page.tsx',
};
const FONTS: Record<Language, string> = { th: 'thai', la: 'lao', en: 'latin' };

/** A chunk and all it imports at once, without repeats. */
function closure(manifest: Manifest, keys: string[], seen = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (seen.has(key) || !manifest[key]) continue;
    seen.add(key);
    closure(manifest, manifest[key].imports ?? [], seen);
  }
  return seen;
}

const messageKeys = (manifest: Manifest, language: string, parts: string[]): string[] =>
  parts.flatMap((part) =>
    Object.keys(manifest).filter((key) => key.endsWith(`messages/${language}/${part}`)),
  );

/** The page's own styles as text, each file once. */
function styles(manifest: Manifest, keys: Iterable<string>, client: string): string {
  const files = new Set([...keys].flatMap((key) => manifest[key]?.css ?? []));
  return [...files].map((file) => readFileSync(path.join(client, file), 'utf8').trim()).join('');
}

/** The template without the bundler's own tags, which are written again in a better order. */
function bare(template: string): { head: string; script: string } {
  const script = /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/.exec(template)?.[1];
  if (!script) throw new Error('the bundle left no script in index.html');
  const head = template
    .replace(/\s*<script type="module"[\s\S]*?<\/script>/g, '')
    .replace(/\s*<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '');
  return { head, script };
}

const quoted = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** The file of a language's own script. */
function fontOf(manifest: Manifest, language: HeadParts['language']): string | undefined {
  const files = Object.values(manifest).flatMap(({ file, assets }) => [file, ...(assets ?? [])]);
  return files.find((file) => new RegExp(`/${FONTS[language]}-[\\w-]+\\.woff2$`).test(file));
}

/** Language, title, description, and what is fetched early, with the font first. */
function withHead(head: string, page: HeadParts, early: string[], manifest: Manifest): string {
  const font = fontOf(manifest, page.language);
  const lines = font
    ? [`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`, ...early]
    : early;
  return head
    .replace(/(rel="manifest" href=")[^"]*/, `$1${manifestAddress(page.language)}`)
    .replace('<html lang="th"', `<html lang="${languageTag(page.language)}" data-language="${page.language}"`)
    .replace(/(name="description" content=")[^"]*/, `$1${quoted(page.description)}`)
    .replace(/<title>.*<\/title>/, () => `<title>${quoted(page.title)}</title>\n    ${lines.join('\n    ')}`);
}

/** One public page in one language. */
export function htmlPage(template: string, page: PageParts, manifest: Manifest, client: string): string {
  const { head, script } = bare(template);
  const pageKeys = closure(manifest, [ENTRY, PAGE_FILES[page.address] as string]);
  const messages = messageKeys(
    manifest,
    page.language,
    page.address === '/login' ? ['first'] : ['first', 'rest'],
  );
  const files = [...new Set([...pageKeys, ...messages])].map((key) => manifest[key]?.file as string);
  const ahead = files.map((file) => `/${file}`).filter((file) => file !== script);
  const style = `<style>${styles(manifest, pageKeys, client)}</style>`;
  // Browsers fetch what an installed app needs ahead of the words; on written pages it is announced once they live.
  const quiet = withHead(head, page, [style], manifest).replace(
    /\s*<link rel="(?:manifest|apple-touch-icon)"[^>]*>/g,
    '',
  );
  const data = `data-entry="${script}" data-files="${ahead.join(' ')}" data-manifest="${manifestAddress(page.language)}"`;
  return quiet.replace(
    '<div id="root"></div>',
    () =>
      `<div id="root" data-page="${page.language}${page.address}">${page.body}</div>\n    <script ${data}>${page.boot}</script>`,
  );
}

/** A self-contained page: texts and their styles, and one script at its end, without other files. */
export function offlinePage(
  template: string,
  page: HeadParts & { body: string },
  manifest: Manifest,
  client: string,
): string {
  const { head } = bare(template);
  const keys = closure(manifest, [ENTRY, 'src/features/dead-end/not-found-page.tsx']);
  const whole = withHead(head, page, [`<style>${styles(manifest, keys, client)}</style>`], manifest);
  return whole
    .replace(/\s*<link rel="(?:preload|manifest|apple-touch-icon|icon)"[^>]*>/g, '')
    .replace(
      '<div id="root"></div>',
      () => `<div>${page.body}</div>\n    <script defer src="/offline.js"></script>`,
    );
}

/**
 * The shell every other address starts from, in one language: it fetches the styles and the font of the member's home
 * screen. early.js, in the page itself, shows the screen stored on the device, then fetches the app's script with its
 * texts and runs it. `early` is its text.
 */
export function shellPage(
  template: string,
  page: HeadParts & { early: string },
  manifest: Manifest,
  client: string,
): string {
  const { head, script } = bare(template);
  const entryKeys = closure(manifest, [ENTRY]);
  const memberKeys = closure(manifest, ['src/app/member-area.tsx']);
  const keys = [...memberKeys, ...messageKeys(manifest, page.language, ['first', 'rest'])];
  const files = keys.filter((key) => key !== ENTRY).map((key) => manifest[key]?.file as string);
  const ahead = [...new Set(files)].map((file) => `/${file}`);
  const sheets = [...new Set([...memberKeys].flatMap((key) => manifest[key]?.css ?? []))];
  const early = [
    `<script data-base="${process.env.API_BASE ?? ''}" data-marker="${CLIENT_MARKER.value}" data-entry="${script}" data-files="${ahead.join(' ')}">${page.early}</script>`,
    `<style>${styles(manifest, entryKeys, client)}</style>`,
    ...sheets
      .filter((file) => ![...entryKeys].some((key) => manifest[key]?.css?.includes(file)))
      .map((file) => `<link rel="stylesheet" href="/${file}">`),
  ];
  return withHead(head, page, early, manifest);
}
