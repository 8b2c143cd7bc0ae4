import type { Config } from '../config.ts';
import { folderStore } from './folder.ts';
import type { FileStore } from './store.ts';

/** The stores there are: what the settings call them, and what `files migrate` takes. */
export const STORE_NAMES = ['folder', 's3'] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** Opens one store by its name. Throws one sentence when settings of the S3 store are missing. */
export async function openStore(name: StoreName, config: Config): Promise<FileStore> {
  if (name === 'folder') return folderStore(config.dataDir);
  // Loaded only where it is used: the client is large.
  const { s3Store, s3Settings } = await import('./s3.ts');
  return s3Store(s3Settings(config));
}

/**
 * A store whose files may still lie in another one, until `files migrate` has copied them: what is missing in the first
 * is read from the second, and a removal removes from both.
 */
export function withEarlierStore(store: FileStore, earlier: FileStore): FileStore {
  return {
    ...store,
    read: async (key) => (await store.read(key)) ?? earlier.read(key),
    readRange: async (key, position, length) =>
      (await store.readRange(key, position, length)) ?? earlier.readRange(key, position, length),
    async remove(key) {
      await earlier.remove(key);
      await store.remove(key);
    },
    close() {
      store.close();
      earlier.close();
    },
  };
}

/**
 * Opens the store that the settings choose: the folder in DATA_DIR, or with FILES_S3_URL the bucket. Throws one sentence when
 * the bucket refuses the settings; one that does not respond may come later, and `warn` is called.
 */
export async function chosenStore(config: Config, warn: (error: unknown) => void): Promise<FileStore> {
  if (!config.FILES_S3_URL) return folderStore(config.dataDir);
  const { settingsFault } = await import('./s3.ts');
  const store = await openStore('s3', config);
  await store.check().catch((error: unknown) => {
    const fault = settingsFault(error);
    if (fault) throw new Error(fault);
    warn(error);
  });
  return withEarlierStore(store, folderStore(config.dataDir));
}
