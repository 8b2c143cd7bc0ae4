import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const WEB = join(import.meta.dirname, '../apps/web');

/** Copies the built member app, so that a build during the run does not change what is tested. */
export function copyBuild(folder: string): string {
  const copy = join(folder, 'web');
  cpSync(join(WEB, 'dist/client'), copy, { recursive: true });
  return copy;
}

/** The same of the console. */
export function copyConsole(folder: string): string {
  const copy = join(folder, 'console');
  cpSync(join(WEB, '../console/dist'), copy, { recursive: true });
  return copy;
}

/** Builds the member app with other settings into a folder of its own. */
export async function buildInto(folder: string, env: Record<string, string>): Promise<string> {
  await promisify(execFile)(process.execPath, [join(WEB, 'tools/build.ts')], {
    env: { ...process.env, ...env, OUT_DIR: folder },
  });
  return join(folder, 'client');
}

/** Builds the component gallery into a folder; returns the path of its page. */
export async function buildGallery(folder: string): Promise<string> {
  const vite = createRequire(join(WEB, 'package.json')).resolve('vite/package.json');
  const program = join(vite, '../bin/vite.js');
  await promisify(execFile)(process.execPath, [program, 'build', '--mode', 'gallery'], {
    cwd: WEB,
    env: { ...process.env, OUT_DIR: folder },
  });
  return join(folder, 'gallery');
}
