import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { Overloaded } from '../budget.ts';
import { type Config, readConfig } from '../config.ts';
import { noS3Server, startS3Server } from './fixtures/s3-server.ts';
import { filesIn, listed, newKey, storeTests } from './fixtures/store-tests.ts';
import { folderStore } from './folder.ts';
import { migrateFiles } from './migrate.ts';
import { chosenStore, openStore, withEarlierStore } from './open.ts';
import { FILE_KEY, type FileStore } from './store.ts';

if (noS3Server) console.warn(`SKIPPED: files in a bucket. ${noS3Server}.`);

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-bucket-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

async function start() {
  const server = await startS3Server();
  const configOf = (more: Record<string, string> = {}): Config =>
    readConfig({ DATA_DIR: dataDir, ...server.environment, ...more });
  const bucket = await openStore('s3', configOf());
  afterAll(async () => {
    bucket.close();
    await server.remove();
  });
  return { server, configOf, bucket };
}

// Without the programs nothing is started, and every test below is skipped.
const { server, configOf, bucket } = noS3Server ? ({} as Awaited<ReturnType<typeof start>>) : await start();

describe.skipIf(noS3Server)('files in a bucket', () => {
  storeTests(bucket);

  test('have no limit that we know', async () => {
    expect(await bucket.freeBytes()).toBeNull();
  });
});

describe.skipIf(noS3Server)('a bucket that cannot be used', () => {
  afterEach(() => server.thaw());

  test.each([
    ['does not exist', { FILES_S3_BUCKET: 'another' }, /FILES_S3_BUCKET names a bucket/],
    ['refuses the key', { FILES_S3_KEY: 'nobody' }, /FILES_S3_KEY and FILES_S3_SECRET do not open/],
    ['lacks a setting', { FILES_S3_SECRET: '' }, /FILES_S3_SECRET is missing/],
  ])('because it %s keeps a server from starting', async (_, wrong, sentence) => {
    await expect(chosenStore(configOf(wrong), () => undefined)).rejects.toThrow(sentence);
  });

  test('is never taken for a missing file', async () => {
    const nowhere = await openStore('s3', configOf({ FILES_S3_BUCKET: 'another' }));
    await expect(nowhere.read(newKey())).rejects.toThrow(Overloaded);
    await expect(nowhere.readRange(newKey(), 0, 8)).rejects.toThrow(Overloaded);
    await expect(nowhere.put(newKey(), Buffer.from('x'))).rejects.toThrow(Overloaded);
    nowhere.close();
  });

  test('that is silent is noticed, and found again', { timeout: 60_000 }, async () => {
    server.freeze();
    await expect(bucket.check()).rejects.toThrow(Overloaded);
    server.thaw();
    await expect.poll(() => bucket.check().then(() => 'found', String)).toBe('found');
  });

  test('that is away lets a server start, which says so', async () => {
    await bucket.put('k'.repeat(24), Buffer.from('kept'));
    await server.kill();
    const warnings: unknown[] = [];
    const started = await chosenStore(configOf(), (error) => warnings.push(error));
    expect(warnings).toHaveLength(1);
    await expect(started.put(newKey(), Buffer.from('x'))).rejects.toThrow(Overloaded);
    await server.start();
    await expect.poll(() => started.read('k'.repeat(24)).then(String, () => null)).toBe('kept');
    started.close();
  });
});

describe.skipIf(noS3Server)('a migration', () => {
  test('copies what is missing while both are used, and a repeat copies nothing', async () => {
    const [from, to] = [folderStore(mkdtempSync(join(dataDir, 'from-'))), bucket];
    const files = filesIn(from);
    const keys = await Promise.all(
      Array.from({ length: 25 }, (_, at) => files.put(Buffer.from(`slip ${at}`))),
    );
    const first = await migrateFiles(from, to, () => undefined);
    expect(first).toMatchObject({ copied: 25, present: 0, different: [], foreign: 0 });
    for (const [at, key] of keys.entries()) expect(String(await filesIn(to).read(key))).toBe(`slip ${at}`);
    expect(await migrateFiles(from, to, () => undefined)).toMatchObject({ copied: 0, present: 25 });
    expect(await listed(from)).toEqual([...keys].sort());
  });

  test('names a file that differs, and changes neither', async () => {
    const from = folderStore(mkdtempSync(join(dataDir, 'from-')));
    const key = newKey();
    await from.put(key, Buffer.from('ours'));
    await bucket.put(key, Buffer.from('theirs'));
    expect(await migrateFiles(from, bucket, () => undefined)).toMatchObject({ copied: 0, different: [key] });
    expect([String(await from.read(key)), String(await bucket.read(key))]).toEqual(['ours', 'theirs']);
  });

  test('does not bring back what a server deletes meanwhile', async () => {
    const from = folderStore(mkdtempSync(join(dataDir, 'from-')));
    const key = newKey();
    await from.put(key, Buffer.from('deleted on request'));
    const both = withEarlierStore(bucket, from);
    const deletesFirst: FileStore = {
      ...bucket,
      async put(one, bytes) {
        await both.remove(one);
        await bucket.put(one, bytes);
      },
    };
    await migrateFiles(from, deletesFirst, () => undefined);
    expect([await from.read(key), await bucket.read(key)]).toEqual([null, null]);
  });

  test('goes on where an interrupted one ended', async () => {
    const from = folderStore(mkdtempSync(join(dataDir, 'from-')));
    const files = filesIn(from);
    for (let at = 0; at < 12; at++) await files.put(Buffer.from(`slip ${at}`));
    let puts = 0;
    const breaks: FileStore = {
      ...bucket,
      async put(key, bytes) {
        if (++puts > 5) throw new Error('broken off');
        await bucket.put(key, bytes);
      },
    };
    await expect(migrateFiles(from, breaks, () => undefined)).rejects.toThrow('broken off');
    await expect.poll(async () => (await migrateFiles(from, bucket, () => undefined)).present).toBe(12);
  });

  test('leaves alone what is not ours', async () => {
    const folder = mkdtempSync(join(dataDir, 'to-'));
    await bucket.put('lost+found', Buffer.from('not ours'));
    const counts = await migrateFiles(bucket, folderStore(folder), () => undefined);
    expect(counts.foreign).toBeGreaterThan(0);
    expect((await listed(folderStore(folder))).every((key) => FILE_KEY.test(key))).toBe(true);
    expect(counts.copied).toBe((await listed(folderStore(folder))).length);
    await bucket.remove('lost+found');
  });
});

test.skipIf(noS3Server)(
  'until they are copied, files of the folder are found beside those of the bucket, and removed from both',
  async () => {
    const folder = folderStore(mkdtempSync(join(dataDir, 'earlier-')));
    const store = withEarlierStore(bucket, folder);
    const [old, new_] = [newKey(), newKey()];
    await folder.put(old, Buffer.from('old file'));
    await store.put(new_, Buffer.from('new file'));
    expect([String(await store.read(old)), String(await store.readRange(new_, 0, 3))]).toEqual([
      'old file',
      'new',
    ]);
    expect(await folder.read(new_)).toBeNull();
    expect(String(await bucket.read(new_))).toBe('new file');
    await store.remove(old);
    expect([await store.read(old), await folder.read(old)]).toEqual([null, null]);
  },
);
