/**
 * Builds the member app: the bundle, the public pages written out in three languages, and everything compressed
 * beforehand. Answers in dist/client; dist/ssr only serves to write the pages. OUT_DIR names another folder than dist,
 * for a second build beside the first, such as the other variant's.
 */

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, languageTag } from '@krapao/contract/shared';
import { build, minifySync } from 'vite';
import { fillWorker, writeManifest } from './app-files.ts';
import { compressFolder } from './compress.ts';
import { htmlPage, type Manifest, offlinePage, type PageParts, shellPage } from './html-page.ts';

const web = path.join(import.meta.dirname, '..');
const out = path.resolve(web, process.env.OUT_DIR || 'dist');
const client = path.join(out, 'client');
process.chdir(web);
process.env.NODE_ENV = 'production';

const quiet = { logLevel: 'warn' } as const;
rmSync(out, { recursive: true, force: true });
await build(quiet);
await build({ ...quiet, build: { ssr: true } });

const ssr = (await import(path.join(out, 'ssr/entry-ssr.js'))) as typeof import('../src/entry-ssr.tsx');
const manifest = JSON.parse(readFileSync(path.join(client, '.vite/manifest.json'), 'utf8')) as Manifest;
const template = readFileSync(path.join(client, 'index.html'), 'utf8');

/** A script that is no module of the build, made small. */
const minified = (name: string): string =>
  minifySync(name, readFileSync(path.join(client, name), 'utf8')).code.trim();

/** A script that pages contain, so that it runs without a request of its own; its file goes. */
function inlined(name: string): string {
  const text = minified(name);
  rmSync(path.join(client, name));
  return text;
}

const boot = inlined('boot.js');
const early = inlined('early.js');

for (const language of LANGUAGES) {
  const i18n = await ssr.textsOf(language);
  const folder = path.join(client, 'prerendered', language);
  mkdirSync(folder, { recursive: true });
  for (const address of ssr.PUBLIC_PATHS) {
    const parts: PageParts = {
      language,
      address,
      title: ssr.titleOf(address, i18n),
      description: i18n.t('login.tagline'),
      body: await ssr.writePage(address, i18n),
      boot,
    };
    writeFileSync(path.join(folder, `${address.slice(1)}.html`), htmlPage(template, parts, manifest, client));
  }
  const names = { name: i18n.t('shell.product'), description: i18n.t('login.tagline') };
  writeManifest(client, { language, tag: languageTag(language), ...names });
  const offline = {
    language,
    title: `${i18n.t('offline.title')} – ${names.name}`,
    description: names.description,
    body: await ssr.writeOfflinePage(i18n),
  };
  writeFileSync(
    path.join(client, `offline-${language}.html`),
    offlinePage(template, offline, manifest, client),
  );
  const shell = { language, title: names.name, description: names.description, early };
  writeFileSync(path.join(folder, 'shell.html'), shellPage(template, shell, manifest, client));
}
const own = process.env.VARIANT === 'la' ? 'la' : 'th';
copyFileSync(path.join(client, 'prerendered', own, 'shell.html'), path.join(client, 'index.html'));
rmSync(path.join(client, '.vite'), { recursive: true });
rmSync(path.join(out, 'ssr'), { recursive: true });
writeFileSync(path.join(client, 'offline.js'), minified('offline.js'));
fillWorker(client, own);
await compressFolder(client);
