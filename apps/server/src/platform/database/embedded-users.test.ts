import { chmodSync, chownSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cleanUp,
  copyOfBinaries,
  folder,
  isRoot,
  postmasterOf,
  request,
  start,
  userOf,
  writer,
} from './fixtures/embedded.ts';
import { canRead } from './runtime-user.ts';

const NOBODY = 65_534;
/** The user "daemon": initdb wants one that the system knows by name. */
const SOMEBODY = 1;
const LINKS = ['libicuuc.so.60', 'libicui18n.so.60', 'libicudata.so.60', 'libpq.so.5'];

test('libraries whose links the skipped install script should have made are linked at start', async () => {
  const native = copyOfBinaries(folder(), 'links');
  for (const name of LINKS) rmSync(join(native, 'lib', name));
  const server = await start({ dataDir: folder(), native });
  expect(await request(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  for (const name of LINKS) expect(existsSync(join(native, 'lib', name))).toBe(true);
});

describe.runIf(isRoot)('as root', () => {
  test('PostgreSQL runs as nobody, who owns the data', async () => {
    const dataDir = folder();
    await start({ dataDir });
    expect(userOf(postmasterOf(dataDir))).toBe(NOBODY);
    expect(statSync(join(dataDir, 'postgres', 'cluster')).uid).toBe(NOBODY);
    expect(statSync(dataDir).uid).toBe(0);
  });

  test('binaries behind a closed folder are copied beside the data', async () => {
    const closed = folder(0o700);
    const dataDir = folder();
    await start({ dataDir, native: copyOfBinaries(closed, 'beside') });
    expect(existsSync(join(dataDir, 'postgres', 'binaries-beside', 'native', 'bin', 'postgres'))).toBe(true);
  });

  test('a whole project behind a closed folder works, and its data stays inside it', async () => {
    const closed = folder(0o700);
    const version = `test-${process.pid}`;
    cleanUp(() => rmSync(`/var/lib/krapao/binaries-${version}`, { recursive: true, force: true }));
    const dataDir = join(closed, '.data');
    const options = { dataDir, native: copyOfBinaries(closed, version) };
    const server = await start(options);
    await request(server, 'create table kept (id int)');
    expect(userOf(postmasterOf(dataDir))).toBe(NOBODY);
    expect(readdirSync(join(dataDir, 'postgres', 'cluster'))).toContain('PG_VERSION');
    const pid = postmasterOf(dataDir);
    const second = await start(options);
    expect(postmasterOf(dataDir)).toBe(pid);
    await server.stop();
    await second.stop();
    expect(await request(await start(options), 'select * from kept')).toEqual([]);
  });

  test('a package only root may read is copied, links and all', async () => {
    const closed = folder(0o700);
    const native = copyOfBinaries(closed, 'unreadable');
    for (const name of LINKS) rmSync(join(native, 'lib', name));
    chmodSync(join(native, 'lib'), 0o700);
    const dataDir = folder();
    expect(await request(await start({ dataDir, native }), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

// These start Node as another user, who must be able to read this checkout.
describe.runIf(isRoot && canRead(import.meta.dirname, { uid: SOMEBODY, gid: SOMEBODY }))(
  'as an ordinary user',
  () => {
    test('everything runs as that user', async () => {
      const dataDir = folder();
      chownSync(dataDir, SOMEBODY, SOMEBODY);
      const other = await writer(dataDir, SOMEBODY);
      expect(other.hello).toMatchObject({ uid: SOMEBODY, fsync: 'on' });
      expect(userOf(postmasterOf(dataDir))).toBe(SOMEBODY);
      other.child.kill('SIGTERM');
      expect(await other.exited).toBe(0);
    });

    test('data of that user keeps its owner when root starts the server, and works without root after', async () => {
      const dataDir = folder();
      chownSync(dataDir, SOMEBODY, SOMEBODY);
      const before = await writer(dataDir, SOMEBODY);
      before.child.kill('SIGTERM');
      expect(await before.exited).toBe(0);
      const server = await start({ dataDir });
      expect(userOf(postmasterOf(dataDir))).toBe(SOMEBODY);
      await server.stop();
      // The table is filled from 1 again: the duplicate proves that the old data is there.
      const after = await writer(dataDir, SOMEBODY);
      expect(await after.exited).toBe(1);
      expect(after.errors()).toContain('duplicate key');
    });

    test('data of somebody else is refused with one sentence', async () => {
      const dataDir = folder();
      await (await start({ dataDir })).stop();
      chmodSync(join(dataDir, 'postgres'), 0o755);
      await expect(writer(dataDir, SOMEBODY)).rejects.toThrow(
        `belongs to user ${NOBODY}, but this is user ${SOMEBODY}`,
      );
    });
  },
);
