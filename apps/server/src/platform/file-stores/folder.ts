import { constants } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isDraft, syncFolder, writeDurably } from '../durable-file.ts';
import type { FileStore } from './store.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

async function readAt(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Keeps files in `DATA_DIR/files`, away from anything that is served as it is, and flushes each to the disk. */
export function folderStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files');
  const folderOf = (key: string) => join(root, key.slice(0, 2));
  const pathOf = (key: string) => join(folderOf(key), key);
  return {
    place: root,
    async put(key, bytes) {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      await writeDurably(pathOf(key), bytes);
      // The folders may be new too, made by this call or by another that has not finished.
      for (const folder of [root, dataDir]) await syncFolder(folder);
    },
    read: (key) => readFile(pathOf(key)).catch(nullIfMissing),
    readRange: (key, position, length) => readAt(pathOf(key), position, length).catch(nullIfMissing),
    remove: (key) => rm(pathOf(key), { force: true }),
    async *keys(beginning = '') {
      const folders = (await readdir(root).catch(nullIfMissing)) ?? [];
      for (const folder of folders.filter((name) => name.startsWith(beginning)))
        for (const name of await readdir(join(root, folder))) if (!isDraft(name)) yield name;
    },
    async removeCutWrites(before) {
      for (const folder of (await readdir(root).catch(nullIfMissing)) ?? [])
        for (const name of (await readdir(join(root, folder))).filter(isDraft)) {
          const path = join(root, folder, name);
          const written = await stat(path).catch(nullIfMissing);
          if (written && written.mtime < before) await rm(path, { force: true });
        }
    },
    storedAt: (key) => stat(pathOf(key)).then(({ mtime }) => mtime, nullIfMissing),
    async check() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    },
    async freeBytes() {
      // With a database of one's own nothing has made it before the first file.
      await mkdir(dataDir, { recursive: true });
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    close: () => undefined,
  };
}
