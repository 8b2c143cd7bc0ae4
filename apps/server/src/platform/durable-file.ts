import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Windows has no handles of folders to flush; NTFS journals names by itself. */
const canSyncFolders = process.platform !== 'win32';
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
/** What file systems without a flush for folders say; PostgreSQL passes over the same. */
const UNSUPPORTED = new Set(['EINVAL', 'EBADF']);

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes what a file holds, not its name: see {@link syncFolder}. */
export const syncFile = (path: string): Promise<void> => sync(path, 'r+');

/** Flushes the entries of a folder: names made, changed or removed in it survive a power cut afterwards. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  await sync(folder, 'r').catch((error: unknown) => {
    if (!UNSUPPORTED.has(codeOf(error))) throw error;
  });
}

function syncNow(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** {@link syncFile}, blocking. */
export const syncFileSync = (path: string): void => syncNow(path, 'r+');

/** {@link syncFolder}, blocking. */
export function syncFolderSync(folder: string): void {
  if (!canSyncFolders) return;
  try {
    syncNow(folder, 'r');
  } catch (error) {
    if (!UNSUPPORTED.has(codeOf(error))) throw error;
  }
}

/** Whether a name is that of a draft of {@link writeDurably}; a write that was cut off leaves it. */
export const isDraft = (name: string): boolean => /\.[0-9a-f]{12}\.new$/.test(name);

/**
 * Writes a file that only we may read. When it resolves, content and name survive a power cut; a reader never sees half
 * of it. Replaces what was there; of several writers at once the last one's content stays.
 * @throws what the disk says; the name is as it was before then
 */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Gives the draft its name unless another has it. A file system without links renames, where the last one wins. */
function nameOnce(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') renameSync(draft, path);
  }
}

/**
 * Creates a file that only we may read, on the disk before it returns; keeps one that is there. Of several processes at
 * once one wins, and none ever sees a part of it.
 */
export function createDurablySync(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    nameOnce(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderSync(dirname(path));
}
