/**
 * The browser for tests: CHROMIUM_PATH, else the one inside @sparticuz/chromium, else the system's, else an error.
 * A browser test never skips because there is no browser.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cutFace, FACES } from '../apps/web/tools/fonts.ts';

export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A spare process for the next page costs a quarter of the cost of loading a page.
  '--renderer-process-limit=1',
];

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Variables that importing and unpacking the bundled Chromium changes; they are meant for the browser alone. */
const TOUCHED = [
  'AWS_EXECUTION_ENV',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'FONTCONFIG_PATH',
  'FONTCONFIG_FILE',
  'HOME',
];

const require = createRequire(import.meta.url);

const plainEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/**
 * A font list of our own: the bundled one knows fixed folders and neither Thai nor Lao, which then come out blank.
 * Google Sans is given as TTF, the format fontconfig reads everywhere.
 */
async function writeFontList(folder: string): Promise<string> {
  const faces = await Promise.all(FACES.map((face) => cutFace(face, 'sfnt')));
  const folders = new Set([...faces.map((file) => path.dirname(file)), path.join(folder, 'fonts')]);
  const list = path.join(folder, 'fonts.conf');
  const lines = [...folders].map((dir) => `<dir>${dir}</dir>`).join('');
  writeFileSync(
    list,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${lines}<cachedir>${path.join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return list;
}

/** Unpacks the bundled Chromium once, into a folder named by its version: the library reuses any it finds. */
async function bundled(): Promise<ChromiumLaunch | null> {
  if (process.platform !== 'linux') return null;
  const main = require.resolve('@sparticuz/chromium');
  const root = main.slice(0, main.lastIndexOf('@sparticuz/chromium') + '@sparticuz/chromium'.length);
  const { version } = require(path.join(root, 'package.json')) as { version: string };
  const folder = path.join(import.meta.dirname, `../node_modules/.cache/chromium-${version}`);
  mkdirSync(folder, { recursive: true });
  const before = TOUCHED.map((name) => [name, process.env[name]] as const);
  const temporary = tmpdir();
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  process.env.TMPDIR = folder;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executablePath = await chromium.executablePath();
    // Where the library unpacks to is no place for the hundreds of files that its processes share memory by.
    const env = { ...plainEnv(), TMPDIR: temporary, FONTCONFIG_FILE: await writeFontList(folder) };
    return { executablePath, args: ARGS, env };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** What to launch the browser with; throws when there is none. */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return { executablePath: chosen, args: ARGS, env: plainEnv() };
  const unpacked = await bundled().catch(() => null);
  if (unpacked) return unpacked;
  const system = SYSTEM.find((file) => existsSync(file));
  if (system) return { executablePath: system, args: ARGS, env: plainEnv() };
  throw new Error('no Chromium found: run npm install on Linux, or set CHROMIUM_PATH');
}
