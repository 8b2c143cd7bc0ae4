import { access, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFile, syncFolder } from '../durable-file.ts';

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${file} is there already, and no file is overwritten.`);
}

/** Opens a file that only we may read, which is not there yet. */
async function openPart(part: string): Promise<FileHandle> {
  return open(part, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(
      `${part} is there already: another command writes it, or one was cut off. Delete it if none runs.`,
    );
  });
}

/**
 * Writes a new file that only we may read. It appears under its name whole and on the disk, or not at all. `write` closes
 * the file that it is given. Returns what `write` returns.
 * @throws when the file exists, another process writes it, the disk is full, or `write` fails
 */
export async function writeNewFile<T>(file: string, write: (part: FileHandle) => Promise<T>): Promise<T> {
  await refuseExisting(file);
  const part = `${file}.part`;
  const opened = await openPart(part);
  try {
    const written = await write(opened);
    await syncFile(part);
    await rename(part, file);
    await syncFolder(dirname(file));
    return written;
  } catch (error) {
    await opened.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}
