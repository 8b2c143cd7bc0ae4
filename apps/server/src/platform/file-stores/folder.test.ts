import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storeTests } from './fixtures/store-tests.ts';
import { folderStore } from './folder.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krapao-folder-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

describe('files in a folder', () => {
  storeTests(folderStore(dataDir));

  test('fill a disk that says how much is left', async () => {
    expect(await folderStore(dataDir).freeBytes()).toBeGreaterThan(0);
  });

  test('what a write that was cut off has left is no file, and is deleted after a day', async () => {
    const store = folderStore(dataDir);
    const key = 'AbcdefghijklmnopqrstuvwX';
    await store.put(key, Buffer.from('whole'));
    const folder = join(dataDir, 'files', 'Ab');
    const [old, fresh] = [`${key}.0123456789ab.new`, `${key}.ba9876543210.new`];
    for (const name of [old, fresh]) writeFileSync(join(folder, name), 'cut');
    const day = new Date(Date.now() - 86_400_000);
    utimesSync(join(folder, old), day, day);
    for await (const found of store.keys('A')) expect(found).toBe(key);
    await store.removeCutWrites?.(new Date(day.getTime() + 1_000));
    expect(readdirSync(folder).toSorted()).toEqual([key, fresh].toSorted());
  });
});
