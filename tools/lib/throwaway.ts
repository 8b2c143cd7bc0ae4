import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** What the databases of a whole test run take, several times over. */
const ROOM_BYTES = 8 * 1024 ** 3;

/** Linux's folder in memory, where it is large enough and lets programs be started from it. */
function roomyMemory(): string | undefined {
  if (!existsSync(MEMORY) || os.freemem() < ROOM_BYTES) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === MEMORY);
  const options = mount?.split(' ')[3]?.split(',') ?? ['noexec'];
  return bavail * bsize < ROOM_BYTES || options.includes('noexec') ? undefined : MEMORY;
}

/**
 * Does the work with a folder for temporary files that is gone afterwards, whatever the programs started meanwhile left
 * there. In memory where there is room: the many files of many databases cost a disk more than what is tested.
 */
export async function withThrowaway<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(roomyMemory() ?? os.tmpdir(), 'krapao-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await work(folder);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    // What was killed may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
