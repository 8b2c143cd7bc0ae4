import { createHash } from 'node:crypto';
import { FILE_KEY, type FileStore } from './store.ts';

/** What a migration has done so far. */
export interface MigrationCounts {
  /** Copied and read back with the same hash. */
  copied: number;
  copiedBytes: number;
  /** In both stores before, with the same hash. */
  present: number;
  /** Objects that no key of ours names; left alone. */
  foreign: number;
  /** Keys whose files differ between the stores; neither was changed. */
  different: string[];
}

/** Files under way at once. */
const AT_ONCE = 6;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function copyFile(from: FileStore, to: FileStore, key: string, counts: MigrationCounts): Promise<void> {
  const bytes = await from.read(key);
  // Deleted since it was listed.
  if (!bytes) return;
  const found = await to.read(key);
  if (!found) await to.put(key, bytes);
  const copy = found ?? (await to.read(key));
  if (!copy || hashOf(copy) !== hashOf(bytes)) counts.different.push(key);
  else if (found) counts.present++;
  else {
    counts.copied++;
    counts.copiedBytes += bytes.length;
  }
  // A server may have deleted it in both stores while it was being copied.
  if (!(await from.readRange(key, 0, 1))) await to.remove(key);
}

/**
 * Copies every file from one store to another while servers use both, and verifies each copy by its SHA-256. Changes
 * nothing in `from`. A repeat copies only what is missing; it may follow a run that was interrupted.
 * @param onFile called after each file
 */
export async function migrateFiles(
  from: FileStore,
  to: FileStore,
  onFile: (counts: MigrationCounts) => void,
): Promise<MigrationCounts> {
  const counts: MigrationCounts = { copied: 0, copiedBytes: 0, present: 0, foreign: 0, different: [] };
  const keys = from.keys()[Symbol.asyncIterator]();
  const work = async () => {
    for (let next = await keys.next(); !next.done; next = await keys.next()) {
      if (FILE_KEY.test(next.value)) await copyFile(from, to, next.value, counts);
      else counts.foreign++;
      onFile(counts);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts;
}
