import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow, ROOT } from './files.ts';
import { showNpmScript } from './programs.ts';

/** Settings the build bakes into the app. */
const BAKED = ['VARIANT', 'API_BASE', 'SITE_HOST', 'IFRAME'];
const SOURCES = ['apps/web', 'packages/ui', 'packages/contract'];
const STAMP = join(ROOT, 'node_modules', '.cache', 'krapao', 'web-build');
const PAGE = join(ROOT, 'apps', 'web', 'dist', 'client', 'index.html');

/** A hash over everything the web app is made of: sources, packages, and the settings it bakes in. */
export function webFingerprint(environment: Record<string, string | undefined> = process.env): string {
  const hash = createHash('sha256');
  for (const name of BAKED) hash.update(`${name}=${environment[name] ?? ''}\n`);
  hash.update(readFileSync(join(ROOT, 'package-lock.json')));
  const files = SOURCES.flatMap(filesBelow).filter((path) => !/\.test\.tsx?$|\.gen\./.test(path));
  for (const path of files) hash.update(`\n${path}\n`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/**
 * Builds the web app when what it is made of has changed since the last build.
 * @throws when the build fails
 */
export async function ensureWebBuilt(): Promise<void> {
  const wanted = webFingerprint();
  if (existsSync(PAGE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.log('Building the web app …');
  const startedAt = Date.now();
  if ((await showNpmScript('@krapao/web', 'build')) !== 0) throw new Error('The web app could not be built.');
  mkdirSync(dirname(STAMP), { recursive: true });
  // Taken anew: the build itself may write generated files beside the sources.
  writeFileSync(STAMP, webFingerprint());
  console.log(`Web app built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}
