/** What makes the built pages an app that can be installed: a manifest a language, and the worker's list of files. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, type Language } from '@krapao/contract/shared';

interface AppNames {
  language: Language;
  /** The language as browsers write it. */
  tag: string;
  name: string;
  description: string;
}

const PAPER = '#f6f5f0';

/** Where a language's manifest lies. */
export const manifestAddress = (language: string): string => `/app-${language}.webmanifest`;

/** Writes one language's web app manifest (W3C Web Application Manifest) into the built folder. */
export function writeManifest(client: string, names: AppNames): void {
  const icon = (file: string, sizes: string, purpose = 'any') => ({
    src: `/icons/${file}`,
    sizes,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    id: '/',
    start_url: '/user/home',
    scope: '/',
    display: 'standalone',
    orientation: 'portrait',
    lang: names.tag,
    dir: 'ltr',
    name: names.name,
    short_name: names.name,
    description: names.description,
    background_color: PAPER,
    theme_color: PAPER,
    icons: [
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('maskable-512.png', '512x512', 'maskable'),
    ],
  };
  writeFileSync(path.join(client, manifestAddress(names.language)), JSON.stringify(manifest));
}

/** Fills in the worker: the build's language, the shell, every hashed file, and a version that changes with any page. */
export function fillWorker(client: string, language: string): void {
  const assets = readdirSync(path.join(client, 'assets')).map((name) => `/assets/${name}`);
  const files = ['/index.html', '/icon.svg', ...assets.toSorted()];
  const hash = createHash('sha256');
  for (const page of ['index.html', ...LANGUAGES.map((code) => `offline-${code}.html`)])
    hash.update(readFileSync(path.join(client, page)));
  const version = hash.update(files.join()).digest('hex').slice(0, 12);
  const worker = path.join(client, 'sw.js');
  const source = readFileSync(worker, 'utf8');
  const filled = source
    .replace("const VERSION = '';", `const VERSION = '${version}';`)
    .replace("const LANGUAGE = '';", `const LANGUAGE = '${language}';`)
    .replace('const FILES = [];', `const FILES = ${JSON.stringify(files)};`);
  if (!filled.includes(version) || !filled.includes(files[0] as string))
    throw new Error('sw.js has lost the lines that the build fills in');
  writeFileSync(worker, filled);
}
