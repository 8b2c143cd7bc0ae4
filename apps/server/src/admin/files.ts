import { migrateFiles } from '../platform/file-stores/migrate.ts';
import { openStore, STORE_NAMES, type StoreName } from '../platform/file-stores/open.ts';
import { audit, type Command, CommandError, command } from './command.ts';

const PROGRESS_MS = 5_000;

function readStoreName(text: string): StoreName {
  const name = STORE_NAMES.find((one) => one === text);
  if (!name) throw new CommandError(`There is no store ${text}: say ${STORE_NAMES.join(' or ')}.`);
  return name;
}

/** The setting that leads to each store. */
const SETTING_OF: Record<StoreName, string> = { folder: 'DATA_DIR', s3: 'FILES_S3_BUCKET' };

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

export const commands: Record<string, Command> = {
  'files migrate': command({
    usage: '<store>',
    about:
      'copy all files into folder or s3 from the other one, while servers run; a repeat copies what is missing',
    async run(deps, [name]) {
      const target = readStoreName(name);
      const open = (store: StoreName) =>
        openStore(store, deps.config).catch((error: Error) => {
          throw new CommandError(error.message);
        });
      const to = await open(target);
      const source = target === 's3' ? 'folder' : 's3';
      const from = await open(source);
      let reportedAt = performance.now();
      try {
        await to.check();
        const counts = await migrateFiles(from, to, ({ copied, copiedBytes, present }) => {
          if (performance.now() - reportedAt < PROGRESS_MS) return;
          reportedAt = performance.now();
          deps.progress(`${copied} copied (${mebibytes(copiedBytes)}), ${present} present before …`);
        });
        const { different, ...numbers } = counts;
        if (counts.copied + counts.present + different.length === 0)
          throw new CommandError(
            `No file lies in ${from.place}, so nothing was copied. Check that ${SETTING_OF[source]} is that of the servers.`,
          );
        await audit(deps.pool, deps, {
          action: 'files.migrate',
          subject: 'files',
          after: { from: from.place, to: to.place, ...numbers, different: different.length },
        });
        return {
          lines: [
            `${counts.copied} files copied (${mebibytes(counts.copiedBytes)}) from ${from.place} to ${to.place} and verified, ${counts.present} were there with the same content.`,
            ...(counts.foreign > 0 ? [`${counts.foreign} other objects were left alone.`] : []),
            ...different.map((key) => `${key} differs from the file in ${to.place}; neither was changed.`),
          ],
          failed: different.length > 0,
        };
      } catch (error) {
        if (error instanceof CommandError) throw error;
        throw new CommandError(`${(error as Error).message}. What was copied stays; run it again.`);
      } finally {
        from.close();
        to.close();
      }
    },
  }),
};
