import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow, ROOT } from './files.ts';
import { showNpmScript } from './programs.ts';

/** One app that a browser loads, and what it is made of. */
interface BuiltApp {
  title: string;
  workspace: string;
  folder: string;
  /** Made by the build last. */
  page: string;
  /** Settings the build bakes in, and what each is where it is not set. */
  baked: Readonly<Record<string, string>>;
}

/** Settings that the build bakes into the member app, and what each is where it is not set. */
export const MEMBER_APP_SETTINGS = { VARIANT: 'th', API_BASE: '', SITE_HOST: '', IFRAME: '' };

const APPS: readonly BuiltApp[] = [
  {
    title: 'web app',
    workspace: '@krapao/web',
    folder: 'apps/web',
    page: 'dist/client/index.html',
    baked: MEMBER_APP_SETTINGS,
  },
  {
    title: 'console',
    workspace: '@krapao/console',
    folder: 'apps/console',
    page: 'dist/index.html',
    baked: {},
  },
];

/** The settings an app is built with. An empty setting is one that is not set, as the server reads it. */
export const bakedSettings = (
  baked: BuiltApp['baked'],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(baked).map(([name, fallback]) => [name, environment[name] || fallback]));

/** A hash over everything an app is made of: sources, packages, and the settings it bakes in. */
function fingerprint({ folder, baked }: BuiltApp): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(bakedSettings(baked, process.env)));
  hash.update(readFileSync(join(ROOT, 'package-lock.json')));
  const files = [folder, 'packages/ui', 'packages/contract']
    .flatMap(filesBelow)
    .filter((path) => !/\.test\.tsx?$|\.gen\./.test(path));
  for (const path of files) hash.update(`\n${path}\n`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

async function ensureBuilt(app: BuiltApp): Promise<void> {
  const stamp = join(ROOT, 'node_modules', '.cache', 'krapao', `${app.workspace.split('/')[1]}-build`);
  const isThere = existsSync(join(ROOT, app.folder, app.page)) && existsSync(stamp);
  if (isThere && readFileSync(stamp, 'utf8') === fingerprint(app)) return;
  console.log(`Building the ${app.title} …`);
  const startedAt = Date.now();
  if ((await showNpmScript(app.workspace, 'build')) !== 0)
    throw new Error(`The ${app.title} could not be built.`);
  mkdirSync(dirname(stamp), { recursive: true });
  // Beside the pages: the server refuses to serve them under other settings.
  const settings = JSON.stringify(bakedSettings(app.baked, process.env));
  writeFileSync(join(ROOT, app.folder, 'dist', 'built-with.json'), `${settings}\n`);
  // Taken again: the build itself may write generated files beside the sources.
  writeFileSync(stamp, fingerprint(app));
  console.log(`Built the ${app.title} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** Throws one sentence unless both apps have been built; reads no source and writes nothing. */
export function requireWebBuilt(): void {
  const missing = APPS.find(({ folder, page }) => !existsSync(join(ROOT, folder, page)));
  if (missing)
    throw new Error(`The ${missing.title} is not built, and SERVE_BUILT keeps it from being built now.`);
}

/**
 * Builds the member app and the console, each when what it is made of has changed since its last build.
 * @throws when a build fails
 */
export async function ensureWebBuilt(): Promise<void> {
  for (const app of APPS) await ensureBuilt(app);
}
