import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** What the databases of a whole test run take, several times over. */
const FREE_BYTES = 8 * 1024 ** 3;

/** Linux's folder in memory, where it is large enough and lets programs be started from it. */
function roomyMemory(): string | undefined {
  if (!existsSync(MEMORY) || process.availableMemory() < FREE_BYTES) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === MEMORY);
  const options = mount?.split(' ')[3]?.split(',') ?? ['noexec'];
  return bavail * bsize < FREE_BYTES || options.includes('noexec') ? undefined : MEMORY;
}

/**
 * A folder for the temporary files of every program started from now on. It is removed when this one ends, or receives a signal to end,
 * with whatever was left there. In memory where there is room: the many files of many databases cost a disk more than
 * what is tested.
 */
export function throwawayFolder(): string {
  const folder = mkdtempSync(join(roomyMemory() ?? os.tmpdir(), 'krapao-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    try {
      // What was killed may still be writing.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    } catch (error) {
      process.stderr.write(`${folder} could not be removed: ${(error as Error).message}\n`);
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  return folder;
}
