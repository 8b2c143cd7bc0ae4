import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system of its own, in a file, that can be filled and frozen. */
export interface Disk {
  /** A folder on it. */
  folder: string;
  /** Takes all room that is left. */
  fill(): void;
  /** Gives that room back. */
  free(): void;
  /** Stops every write to it for some time; resolves when writes go on. */
  freeze(ms: number): Promise<void>;
  remove(): void;
}

/** Sparse: what is never written takes no room. Holds PostgreSQL's log up to the first checkpoint. */
const SIZE = '3G';
const PIECE_BYTES = 4096;

const tryRun = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = tryRun(program, ...args);
  if (status !== 0) throw new Error(`${program}: ${stderr?.trim() || error?.message}`);
}

function fillDisk(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  // Most of it is reserved at once, without being written; the rest, or all of it where that fails, is written.
  tryRun('fallocate', '-l', String(Math.max(bavail * bsize - 16 * PIECE_BYTES, PIECE_BYTES)), file);
  try {
    for (;;) appendFileSync(file, Buffer.alloc(PIECE_BYTES));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Creates and mounts a file system; returns the reason where that is not possible, for example without root. */
export function createDisk(): Disk | { missing: string } {
  const home = mkdtempSync(join(tmpdir(), 'krapao-disk-'));
  const [image, mountPoint] = [join(home, 'image'), join(home, 'disk')];
  // PostgreSQL runs as another user and must be able to pass.
  chmodSync(home, 0o755);
  mkdirSync(mountPoint);
  try {
    run('truncate', '-s', SIZE, image);
    run('mkfs.ext4', '-q', '-m', '0', image);
    run('mount', '-o', 'loop', image, mountPoint);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    return { missing: (error as Error).message };
  }
  const folder = join(mountPoint, 'data');
  mkdirSync(folder);
  const filler = join(mountPoint, 'filler');
  return {
    folder,
    fill: () => fillDisk(filler, mountPoint),
    free: () => rmSync(filler, { force: true }),
    async freeze(ms) {
      // A process of its own: writes go on even when this program, which may wait for the disk itself, ends.
      const script = 'fsfreeze -f "$0" && { sleep "$1"; fsfreeze -u "$0"; }';
      const child = spawn('sh', ['-c', script, mountPoint, String(ms / 1000)], {
        detached: true,
        stdio: 'ignore',
      });
      const code = await new Promise((resume) => child.once('exit', resume));
      if (code !== 0) throw new Error(`the file system could not be frozen or thawed: ${code}`);
    },
    remove() {
      run('umount', mountPoint);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
